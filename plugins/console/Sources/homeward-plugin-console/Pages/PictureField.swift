import JSON

/// A picture that is taken or chosen; a script makes it small, brings it, and adds it to the form.
enum PictureField {
  /// - Parameters:
  ///   - keeping: pictures that are there and stay, behind the new one.
  ///   - isKey: whether it looks like a key of a page for somebody who is looked after.
  static func chosen(
    for resident: JSONValue, _ visit: Visit, keeping: [String] = [], isKey: Bool = false
  ) -> HTML {
    let kept = keeping.map { id -> HTML in
      "<input type=\"hidden\" name=\"note.pictures\" value=\"\(id)\" data-reads=\"item\">"
    }
    let name = visit.gettext("Picture")
    let input: HTML =
      isKey
      ? """
      <label class="key">\(Icon.camera)<span>\(name)</span><input class="unseen" id="f-picture" type="file" accept="image/*"></label>
      """
      : label(name)
    return
      "\(field(for: resident, "note.pictures", visit, input))\(kept)"
  }

  /// The one picture of something; a new one takes the place of the one that is there, and it can go without another.
  ///
  /// - Parameter name: the member that names it.
  static func single(
    _ name: String, for resident: JSONValue, _ visit: Visit, label words: String, keeping: String?
  ) -> HTML {
    let kept: HTML =
      keeping.map {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">\(small($0))"
      } ?? .nothing
    let without: HTML =
      "<button type=\"button\" class=\"button quiet\" data-drops-picture\(HTML.flag("hidden", keeping == nil))>\(visit.gettext("Without a picture"))</button>"
    return field(
      for: resident, name, visit, label(words), isSingle: true, rest: "\(kept)\(without)")
  }

  /// A stored picture beside words that say what it is of.
  static func small(_ id: String) -> HTML {
    "<img class=\"small\" src=\"/picture/\(id)\" alt=\"\">"
  }

  private static func label(_ words: String) -> HTML {
    """
    <label for="f-picture">\(words)</label><input id="f-picture" type="file" accept="image/*">
    """
  }

  private static func field(
    for resident: JSONValue, _ name: String, _ visit: Visit, _ input: HTML, isSingle: Bool = false,
    rest: HTML = .nothing
  ) -> HTML {
    let words: JSONValue = [
      "unshown": .string(
        visit.gettext("This browser cannot show the picture. Save it as JPEG or PNG first.")),
      "failed": .string(visit.gettext("The picture could not be brought. Please try again.")),
      "bringing": .string(visit.gettext("One moment, the picture is on its way.")),
    ]
    return """
      <p class="field" data-brings-picture="\(resident["id"]?.stringContent ?? "")" data-field="\(name)"\(HTML.flag("data-single", isSingle)) data-words="\(words.serialized)">\(input)<span class="hint" role="status"></span>\(rest)</p>
      """
  }
}
