import Accounts
import Care
import ControlSocket
import Door
import Glibc
import JSON
import Texts

/// The pages of a demonstration: a made-up family with accounts, and where to look.
extension Demo {
  private static let email = "anna@example.org"
  /// Known to whoever reads this: only this computer can be asked, and only as long as the demonstration lasts.
  private static let password = "paper boat on the river"

  /// Makes the family's account, says where the pages are, and opens them where there is a screen.
  func openPages(_ gateway: ControlClient) throws(CommandFailure) {
    let guardian = Guardian(
      id: "anna", resident: "ada", name: gettext("Anna"), email: Self.email, isCaregiver: true)
    try ask(gateway, .putGuardian(guardian))
    let profile = UserAccount.Profile(
      name: gettext("Anna"), language: SpokenLanguage.current.rawValue)
    let signUp = AccountRequest.signUp(
      email: Self.email, profile, questions: [], AccountRequest.Device())
    let answer = try ask(
      gateway, signUp.json.setting("password", to: .string(Self.password)))
    let id = AccountID(answer["account"]?.stringContent ?? "")
    try ask(gateway, .account(.chooseRole(id, .caregiver, resident: nil)))
    try ask(gateway, .account(.linking(id, .link("ada"))))
    var address: String?
    try wait(for: gettext("the page server")) {
      let port = (try? FileText.read(world.consolePort)).flatMap {
        UInt16($0.prefix { !$0.isNewline })
      }
      address = port.map { "http://localhost:\($0)/" }
      return address != nil
    }
    guard let address else { return }
    transcript.say(
      gettext(
        "Pages: {address} Log in as {email} with the password: {password}",
        ["address": address, "email": Self.email, "password": Self.password]))
    open(address)
  }

  private func open(_ address: String) {
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      Environment.value($0)?.isEmpty == false
    }
    guard hasScreen, let opener = ProgramSearch.find("xdg-open") else {
      return transcript.say(gettext("There is no screen here to open them on."))
    }
    browser = ChildProcess("xdg-open", opener, [address], directory: world.folder)
  }
}
