import Care
import Certificates
import Configuration
import JSON

/// Has alarms reach browsers that show no page: the plugin webpush, switched on together with the pages.
struct SetupPush {
  private static let plugin = "webpush"
  private static let grants = ["network", "read:push", "command:account.push-gone"]

  let dialogue: SetupDialogue
  let configuration: GatewayConfiguration

  private var arguments: ParsedArguments { dialogue.session.arguments }
  private var isInstalled: Bool {
    configuration.plugins.directories.contains {
      FileText.exists("\($0)/\(Self.plugin)/plugin.json")
    }
  }

  /// By which address push services reach whoever keeps the gateway; nil where push messages stay as they are.
  ///
  /// - Parameter addresses: those that may be given to them where the owner names none, the best first.
  func ask(hasPages: Bool, addresses: [String?]) throws(CommandFailure) -> String? {
    let wish = try wish()
    guard hasPages else {
      guard wish != true else {
        throw .usage(
          gettext("push messages need the pages: say --pages yes as well."),
          SetupCommand.specification)
      }
      return nil
    }
    let isOn = configuration.plugins.enabled.contains { $0.name == Self.plugin }
    if isOn, wish == false {
      tell(
        .warning, gettext("switched on"), gettext("take webpush out of plugins.enabled yourself"))
    }
    guard wish != false else { return nil }
    // What stands there stays, but for an address that is named.
    guard !isOn else { return try named() }
    guard isInstalled else {
      let package = "homeward-plugin-webpush"
      guard wish != true else {
        throw CommandFailure(
          .failed, gettext("push messages are not installed."),
          hint: gettext("Try: sudo apt install {package}", ["package": package]))
      }
      tell(
        .unused, gettext("not installed"),
        gettext(
          "for alarms while no page is open: sudo apt install {package}", ["package": package]))
      return nil
    }
    if let contact = try named() ?? addresses.compactMap({ $0 }).first { return contact }
    let advice = gettext("say --{option}.", ["option": "push-contact"])
    guard wish != true else { throw .usage(advice, SetupCommand.specification) }
    tell(.unused, gettext("no address to give to push services"), advice)
    return nil
  }

  /// Whether the owner said that they are wanted; nil where nothing was said.
  private func wish() throws(CommandFailure) -> Bool? {
    guard let word = arguments.option("push") else {
      return arguments.option("push-contact") == nil ? nil : true
    }
    guard let truth = SetupQuestions.truth(word) else {
      throw .usage(gettext("--push is yes or no."), SetupCommand.specification)
    }
    return truth
  }

  /// The address that the owner named.
  private func named() throws(CommandFailure) -> String? {
    guard let contact = arguments.option("push-contact") else { return nil }
    let isPage = contact.hasPrefix("https://") && contact.count > "https://".count
    guard isPage || (try? Validation.email(contact)) != nil else {
      throw .usage(
        gettext("--push-contact is an e-mail address, or a page that begins with https://."),
        SetupCommand.specification)
    }
    return contact
  }

  private func tell(_ state: Finding.State, _ found: String, _ advice: String) {
    dialogue.say(Finding(subject: "push", state: state, found: found, advice: advice).line)
  }

  /// Whether they can arrive: no browser takes any by a certificate that signs itself, unless the owner knows better.
  func isUseful(with reach: SetupPages.Reach) -> Bool {
    reach.order.kind != .selfSigned || arguments.option("push") != nil
      || arguments.option("push-contact") != nil
  }

  /// Writes into the configuration what switches them on.
  func edit(_ editor: inout ConfigurationEditor, contact: String) throws(CommandFailure) {
    do throws(ConfigurationError) {
      try editor.enablePlugin(
        Self.plugin, grants: Self.grants, settings: [("contact", .string(contact))])
    } catch {
      throw .unchangeable(error)
    }
  }
}
