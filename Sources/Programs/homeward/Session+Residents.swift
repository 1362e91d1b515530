import Bytes
import Care
import ControlSocket
import Door
import JSON

/// Finds the resident that somebody means.
extension Session {
  static let residentOption = OptionSpecification.option(
    "resident", "WHO", gettext("Id or name of the resident; not needed where there is only one"))

  /// All residents.
  func residents() throws(CommandFailure) -> [Resident] {
    let answer = try call(.residentsList)
    do throws(DecodeError) { return try decoded(answer) } catch { throw CommandFailure(error) }
  }

  /// The resident of `--resident`, or the only one.
  func resident() throws(CommandFailure) -> Resident {
    try choose(arguments.option("resident"), among: residents())
  }

  /// The id for `--resident`, or nil without the option.
  func optionalResidentID() throws(CommandFailure) -> ResidentID? {
    guard arguments.has("resident") else { return nil }
    return try resident().id
  }

  func choose(_ wanted: String?, among residents: [Resident]) throws(CommandFailure) -> Resident {
    guard let wanted else {
      if residents.count == 1, let only = residents.first { return only }
      if residents.isEmpty {
        throw CommandFailure(
          .failed, gettext("there is no resident yet."),
          hint: gettext("Add one: homeward residents add --name Mary --time-zone Europe/Oslo"))
      }
      throw .usage(
        gettext(
          "say whom: --resident {residents}",
          ["residents": residents.map(\.id.rawValue).joined(separator: " | ")]))
    }
    let known = residents.map { "\($0.id) (\(TextWidth.printable($0.name)))" }.joined(
      separator: ", ")
    return try Lookup(
      among: residents, id: \.id.rawValue, name: \.name,
      nothing: { gettext("there is no resident \"{wanted}\".", ["wanted": $0]) },
      list: known.isEmpty
        ? gettext("There is none yet: homeward residents add --help")
        : gettext("There are: {known}", ["known": known])
    ).find(wanted)
  }

  /// Reads an answer that is a list of values.
  func decoded<Element: JSONCodable>(_ answer: JSONValue) throws(DecodeError) -> [Element] {
    guard case .array(let elements) = answer else { throw DecodeError(.wrongType, at: 0) }
    var values: [Element] = []
    for element in elements { values.append(try Element(json: element)) }
    return values
  }

  /// Asks for a list of values.
  func list<Element: JSONCodable>(
    _ answer: JSONValue, of type: Element.Type
  ) throws(CommandFailure) -> [Element] {
    do throws(DecodeError) { return try decoded(answer) } catch { throw CommandFailure(error) }
  }
}
