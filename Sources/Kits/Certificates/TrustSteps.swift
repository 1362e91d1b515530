public import Texts

/// How people make a device trust the home's authority, once.
public struct TrustSteps: Sendable {
  /// What it is for, such as an iPhone.
  public var device: Message
  /// One after the other.
  public var steps: [Message]

  /// For each kind of device.
  public static let all: [TrustSteps] = [
    TrustSteps(
      device: Message("iPhone and iPad"),
      steps: [
        Message("Open the certificate in Safari and allow the download of the profile."),
        Message("Open Settings: at the top stands “Profile Downloaded”. Install it."),
        Message(
          "Then open Settings › General › About › Certificate Trust Settings, and switch it on there. Without this step it does not count."
        ),
      ]),
    TrustSteps(
      device: Message("Android"),
      steps: [
        Message("Download the certificate."),
        Message(
          "Open Settings and search for “CA certificate”. Choose “Install anyway”, then the file that you downloaded."
        ),
      ]),
    TrustSteps(
      device: Message("Windows"),
      steps: [
        Message("Download the certificate and open it with a double click."),
        Message(
          "Choose “Install Certificate”, then “Place all certificates in the following store”, then “Trusted Root Certification Authorities”."
        ),
      ]),
    TrustSteps(
      device: Message("Mac"),
      steps: [
        Message("Download the certificate and open it: it goes into Keychain Access."),
        Message("Open it there, and under “Trust” choose “Always Trust”."),
      ]),
    TrustSteps(
      device: Message("Linux, and Firefox everywhere"),
      steps: [
        Message("Download the certificate."),
        Message(
          "In the browser's settings search for “certificates”, and import it under “Authorities” for websites."
        ),
      ]),
  ]
}
