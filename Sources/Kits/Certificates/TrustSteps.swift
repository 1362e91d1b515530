public import Texts

/// How people make a device trust the home's authority, once.
public struct TrustSteps: Sendable {
  /// A kind of device that has a way of its own.
  public enum System: Sendable {
    case iOS, android, windows, macOS, other
  }

  /// The kind of device.
  public var system: System
  /// What it is for, such as an iPhone.
  public var device: Message
  /// One after the other.
  public var steps: [Message]

  /// For each kind of device.
  public static let all: [TrustSteps] = [
    TrustSteps(
      system: .iOS, device: Message("iPhone and iPad"),
      steps: [
        Message("Open the certificate in Safari and allow the download of the profile."),
        Message("Open Settings: at the top stands “Profile Downloaded”. Install it."),
        Message(
          "Then open Settings › General › About › Certificate Trust Settings, and switch it on there. Without this step it does not count."
        ),
      ]),
    TrustSteps(
      system: .android, device: Message("Android"),
      steps: [
        Message("Download the certificate."),
        Message(
          "Open Settings and search for “CA certificate”. Choose “Install anyway”, then the file that you downloaded."
        ),
      ]),
    TrustSteps(
      system: .windows, device: Message("Windows"),
      steps: [
        Message("Download the certificate and open it with a double click."),
        Message(
          "Choose “Install Certificate”, then “Place all certificates in the following store”, then “Trusted Root Certification Authorities”."
        ),
      ]),
    TrustSteps(
      system: .macOS, device: Message("Mac"),
      steps: [
        Message("Download the certificate and open it: it goes into Keychain Access."),
        Message("Open it there, and under “Trust” choose “Always Trust”."),
      ]),
    TrustSteps(
      system: .other, device: Message("Linux, and Firefox everywhere"),
      steps: [
        Message("Download the certificate."),
        Message(
          "In the browser's settings search for “certificates”, and import it under “Authorities” for websites."
        ),
      ]),
  ]
}

extension TrustSteps.System {
  /// The kind of a browser's device, by what it says of itself in `User-Agent`; nil where it says nothing of that.
  ///
  /// An iPad says that it is a Mac. Firefox on a computer keeps certificates of its own; on a telephone it has the steps
  /// of the telephone.
  public init?(userAgent: String) {
    let words: [(String, Self)] = [
      ("iPhone", .iOS), ("iPad", .iOS), ("iPod", .iOS), ("Android", .android), ("Firefox/", .other),
      ("Windows", .windows), ("Macintosh", .macOS), ("Linux", .other), ("X11", .other),
    ]
    guard let found = words.first(where: { userAgent.contains($0.0) }) else { return nil }
    self = found.1
  }
}
