import Care
import Glucose
import Notebook
import Reminders
import Texts
import Tracking

/// The tables that the store keeps for itself, and all that there are.
extension Table {
  /// What the store notes of itself.
  static let meta = Table(
    "meta", key: [.text("name")], [.text("content")],
    of: .nobody(because: "it counts, and names nobody"))

  /// Where plugins stand.
  static let pluginCursor = Table(
    "plugin_cursor", key: [.text("plugin"), .text("lane")], [.integer("sequence")],
    of: .nobody(because: "it is a number of an event")
  ) { Message("where the plugin {name} stood", ["name": $0.key.first ?? $0.label]) }

  /// Events before that which are not settled.
  static let pluginException = Table(
    "plugin_exception", key: [.text("plugin"), .text("lane"), .integer("sequence")],
    [.text("subject"), .integer("attempts")], of: .subject("subject")
  ) { Message("where the plugin {name} stood", ["name": $0.key.first ?? $0.label]) }

  /// What was lost: what was told of it names people.
  static let damagedRow = Table(
    "damaged_row", key: [.text("part"), .text("key")], [.text("label"), .integer("found_at")],
    of: .anybody, isChecked: false)

  /// Who asked for what.
  static let audit = Table(
    "audit", key: [],
    [
      .integer("time"), .text("principal"), .text("command"), .text("action"), .text("target"),
      .text("outcome"),
    ],
    of: .nobody(because: "who did what has to be shown afterwards, erasing a resident too"),
    isChecked: false)

  /// Who is erased here, but not yet in every copy.
  static let erasure = Table(
    "erasure", key: [.text("resident")], [],
    of: .nobody(because: "the id goes last, when no copy is left"), isChecked: false)

  /// All tables of `care.db` but the journal and the dead letters, which are erased by the events that they hold.
  static let declared: [Table] =
    households + routine + notebook + glucose + locations
    + [.meta, .pluginCursor, .pluginException, .damagedRow, .audit, .erasure]

  /// Those whose rows have checksums.
  static let checked = declared.filter(\.isChecked)
}

extension AuditEntry {
  /// A row of ``Table/audit``.
  var columnValues: [ColumnValue] {
    [
      .time(time), .text(principal), .text(command), .text(action), .text(target), .text(outcome),
    ]
  }
}
