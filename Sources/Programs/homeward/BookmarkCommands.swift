import Bytes
import Care
import ControlSocket
import Door
import JSON

/// `homeward bookmarks …`.
enum BookmarkCommands {
  static let all = [list, add, change, remove]

  private static let list: CommandSpecification = .init(
    path: ["bookmarks"], summary: gettext("Places with a name, to show and guide to"),
    options: [Session.residentOption],
    examples: [Example("homeward bookmarks --json", gettext("All bookmarks, for programs."))]
  ) { session throws(CommandFailure) in
    let id = try session.optionalResidentID()
    let params = JSONValue.object(["resident": id.map { .string($0.rawValue) }])
    try session.show(try session.call(.bookmarksList, params)) { answer throws(DecodeError) in
      let bookmarks: [Bookmark] = try session.decoded(answer)
      if bookmarks.isEmpty {
        return gettext("No bookmarks yet. Add one: homeward bookmarks add --help\n")
      }
      var table = Table([
        gettext("ID"), gettext("NAME"), gettext("RESIDENT"), gettext("PLACE"), gettext("ADDRESS"),
      ])
      for bookmark in bookmarks {
        table.add([
          bookmark.id.rawValue, bookmark.name, bookmark.resident.rawValue,
          NumberText.place(bookmark.coordinate), bookmark.address,
        ])
      }
      return table.text
    }
  }

  private static let options: [OptionSpecification] = [
    .option("name", "NAME", gettext("The name as people write it, in any script")),
    .option("at", "LAT,LON", gettext("Degrees north and east")), Session.addressOption,
  ]

  private static let add: CommandSpecification = .init(
    path: ["bookmarks", "add"], summary: gettext("Adds a bookmark"),
    discussion: gettext(
      """
      With --address alone the place is found on the gateway's map; what is not found is refused with what may have been
      meant. With --at alone the map fills the address in. A bookmark named Home is where "take me home" leads.
      """),
    options: [Session.residentOption] + options,
    examples: [
      Example(
        "homeward bookmarks add --name \"老王的家\" --at 39.9042,116.4074",
        gettext("The id is six random letters and digits.")),
      Example(
        "homeward bookmarks add --name Bakery --address \"Mill Lane 4\"",
        gettext("A place by its address.")),
    ]
  ) { session throws(CommandFailure) in
    guard let name = session.arguments.option("name"), let place = try session.givenPlace() else {
      throw .usage(
        gettext("a bookmark needs --name NAME, and --at LAT,LON or --address ADDRESS."), add)
    }
    let resident = try session.resident()
    let known = try session.list(session.call(.bookmarksList), of: Bookmark.self)
    let id = Slug.make(from: name, besides: known.map(\.id.rawValue))
    let bookmark = Bookmark(
      id: BookmarkID(id), resident: resident.id, name: name,
      address: place.address, coordinate: place.coordinate)
    try session.put(
      .putBookmark(bookmark), id: id,
      gettext("Added the bookmark {name} as {id}.", ["name": name, "id": id]))
  }

  private static let change: CommandSpecification = .init(
    path: ["bookmarks", "change"], summary: gettext("Renames or moves a bookmark"),
    operands: [OperandSpecification(name: "BOOKMARK", help: gettext("Name or id of the bookmark"))],
    options: options,
    examples: [
      Example("homeward bookmarks change bakery --name \"Old bakery\"", gettext("Renames it."))
    ]
  ) { session throws(CommandFailure) in
    var bookmark = try find(session.arguments.operands[0], session)
    let name = session.arguments.option("name")
    let place = try session.givenPlace()
    guard name != nil || place != nil else {
      throw .usage(gettext("say what changes: --name, --at or --address."), change)
    }
    bookmark.name = name ?? bookmark.name
    bookmark.coordinate = place?.coordinate ?? bookmark.coordinate
    bookmark.address = place?.address ?? bookmark.address
    try session.put(
      .putBookmark(bookmark), id: bookmark.id.rawValue,
      gettext("Changed the bookmark {name}.", ["name": bookmark.name]))
  }

  private static func find(_ id: String, _ session: Session) throws(CommandFailure) -> Bookmark {
    let bookmarks = try session.list(session.call(.bookmarksList), of: Bookmark.self)
    return try Lookup(
      among: bookmarks, id: \.id.rawValue, name: \.name,
      nothing: { gettext("there is no bookmark \"{id}\".", ["id": $0]) },
      list: gettext("List them: homeward bookmarks")
    ).find(id)
  }

  private static let remove: CommandSpecification = .init(
    path: ["bookmarks", "remove"], summary: gettext("Removes a bookmark"),
    operands: [OperandSpecification(name: "BOOKMARK", help: gettext("Name or id of the bookmark"))],
    examples: [Example("homeward bookmarks remove bakery", gettext("Removes it."))]
  ) { session throws(CommandFailure) in
    let bookmark = try find(session.arguments.operands[0], session)
    try session.put(
      .removeBookmark(bookmark.id), id: bookmark.id.rawValue,
      gettext("Removed the bookmark {id}.", ["id": bookmark.id]))
  }
}
