import Bytes
import Care
import ControlSocket
import Door
import JSON

/// `homeward bookmarks …`.
enum BookmarkCommands {
  static let all = [list, add, remove]

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

  private static let add: CommandSpecification = .init(
    path: ["bookmarks", "add"], summary: gettext("Adds a bookmark"),
    options: [
      Session.residentOption,
      .option("name", "NAME", gettext("The name as people write it, in any script")),
      .option("at", "LAT,LON", gettext("Degrees north and east")),
      .option("address", "ADDRESS", gettext("The postal address")),
    ],
    examples: [
      Example(
        "homeward bookmarks add --name \"老王的家\" --at 39.9042,116.4074",
        gettext("The id is six random letters and digits."))
    ]
  ) { session throws(CommandFailure) in
    guard let name = session.arguments.option("name"), let place = session.arguments.option("at")
    else { throw .usage(gettext("a bookmark needs --name NAME and --at LAT,LON."), add) }
    let coordinate = try NumberText.coordinate(place, option: "at")
    let resident = try session.resident()
    let known = try session.list(session.call(.bookmarksList), of: Bookmark.self)
    let id = Slug.make(from: name, besides: known.map(\.id.rawValue))
    let bookmark = Bookmark(
      id: BookmarkID(id), resident: resident.id, name: name,
      address: session.arguments.option("address") ?? "", coordinate: coordinate)
    try session.put(
      .putBookmark(bookmark), id: id,
      gettext("Added the bookmark {name} as {id}.", ["name": name, "id": id]))
  }

  private static let remove: CommandSpecification = .init(
    path: ["bookmarks", "remove"], summary: gettext("Removes a bookmark"),
    operands: [OperandSpecification(name: "BOOKMARK", help: gettext("Id of the bookmark"))],
    examples: [Example("homeward bookmarks remove bakery", gettext("Removes it."))]
  ) { session throws(CommandFailure) in
    let id = session.arguments.operands[0]
    try session.put(
      .removeBookmark(BookmarkID(id)), id: id, gettext("Removed the bookmark {id}.", ["id": id]))
  }
}
