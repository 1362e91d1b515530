/// Parts of the pages by which somebody comes in.
enum EntryPart {
  /// A page of one column, as those are where somebody comes in.
  static func narrow(_ title: String, _ content: HTML) -> HTML {
    "<div class=\"narrow\"><h1>\(title)</h1>\(content)</div>"
  }

  /// With which address somebody has an account.
  static func email(_ visit: Visit) -> HTML {
    Part.field(
      visit.gettext("E-mail address"), "email", kind: "email", autocomplete: "username",
      more: " autocapitalize=\"none\" spellcheck=\"false\"")
  }

  /// That nobody makes an account themselves here.
  static func madeByKeeper(_ visit: Visit) -> String {
    visit.gettext("You have no account? Whoever keeps the gateway makes one for you.")
  }
}
