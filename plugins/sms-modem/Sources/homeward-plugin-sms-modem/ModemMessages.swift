import PluginKit

/// Errors of messages and equipment in words for people.
enum ModemWords {
  /// What a refusal means: `+CMS ERROR: 38`, `+CME ERROR: 10`, `ERROR`.
  ///
  /// - Source: 3GPP TS 27.005, section 3.2.5; TS 24.011, annex E; TS 27.007, section 9.2.
  static func refusal(_ words: String) -> String {
    let number = words.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) }
    guard let number, words.contains("ERROR:") else {
      return gettext("the modem refuses ({words})", ["words": words])
    }
    return (words.hasPrefix("+CMS") ? message[number] : equipment[number])
      ?? gettext("the modem refuses ({words})", ["words": words])
  }

  private static let message: [Int: String] = [
    1: gettext("the number is not assigned; check it"),
    8: gettext("the operator bars messages; check the contract"),
    10: gettext("the operator bars the card; check the contract"),
    21: gettext("the network rejects the message; check the contract and its credit"),
    27: gettext("the phone is out of service"), 28: gettext("the number is not known; check it"),
    38: gettext("the network is out of order"), 41: gettext("the network has a temporary failure"),
    42: gettext("the network is congested"), 47: gettext("the network has no resources"),
    50: gettext("messages are not in the contract"), 69: gettext("the network knows no messages"),
    310: gettext("there is no SIM card"),
    311: gettext("the SIM card wants its PIN; put it into the settings"),
    313: gettext("the SIM card is broken"), 320: gettext("the modem's storage fails"),
    322: gettext("the modem's storage is full"),
    330: gettext("the number of the message centre is not known"),
    331: gettext("there is no mobile network"), 332: gettext("the network does not answer in time"),
    500: gettext("the modem refuses without a reason"),
  ]

  private static let equipment: [Int: String] = [
    3: gettext("the modem does not allow that now"), 4: gettext("the modem cannot do that"),
    10: gettext("there is no SIM card"),
    11: gettext("the SIM card wants its PIN; put it into the settings"),
    12: gettext("the SIM card is locked; unlock it with its PUK in a phone"),
    13: gettext("the SIM card fails"),
    14: gettext("the SIM card is busy"), 15: gettext("the SIM card is the wrong one"),
    16: gettext("the PIN is wrong"),
    30: gettext("there is no mobile network"), 31: gettext("the network does not answer in time"),
    32: gettext("the network allows emergency calls only"),
  ]
}
