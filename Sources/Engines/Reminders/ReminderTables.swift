public import Care
import Texts

extension Table {
  /// Items of the routines: `content` is the item as JSON, with what people look for beside it.
  public static let routineItem = Table(
    "routine_item", key: [.text("id")],
    [.text("resident"), .text("kind"), .text("title"), .integer("is_on"), .text("content")],
    of: .resident("resident"), label: .column("title")
  ) { Message("the routine item {name}", ["name": $0.label]) }

  /// Due times. The slot of one is unique among the item's for ever, and those of a removed item stay.
  public static let occurrence = Table(
    "occurrence", key: [.text("item"), .text("slot")],
    [
      .text("resident"), .integer("due"), .text("state"), .integer("prompts"),
      .integer("snoozes"), .integer("is_told"), .integer("changed_at"), .text("answered_by"),
      .text("reason"), .integer("is_late"),
    ],
    of: .resident("resident")
  ) { _ in Message("a due time of the routine") }

  /// The tables of the routine.
  public static let routine: [Table] = [.routineItem, .occurrence]
}

extension RoutineItem: ReadableRow {
  /// A row of ``Care/Table/routineItem``.
  public var columnValues: [ColumnValue] {
    [
      .text(id.rawValue), .text(resident.rawValue), .text(kind.rawValue), .text(title),
      .bool(isOn), .json(json),
    ]
  }

  /// Reads a row of ``Care/Table/routineItem``; nil for one that is no item, or another than its key says.
  public init?(_ row: some ColumnReader) {
    guard let json = row.json(5), let item = try? RoutineItem(json: json),
      item.id.rawValue == row.text(0)
    else { return nil }
    self = item
  }
}

extension Occurrence: ReadableRow {
  /// A row of ``Care/Table/occurrence``.
  public var columnValues: [ColumnValue] {
    [
      .text(item.rawValue), .text(slot), .text(resident.rawValue), .time(due),
      .text(state.rawValue), .integer(prompts), .integer(snoozes), .bool(isTold),
      .time(changedAt), .text(by), .text(reason), .bool(isLate),
    ]
  }

  /// Reads a row of ``Care/Table/occurrence``; nil for a state that this version does not know.
  public init?(_ row: some ColumnReader) {
    guard let state = State(rawValue: row.text(4)) else { return nil }
    self.init(
      item: RoutineItemID(row.text(0)), resident: ResidentID(row.text(2)), slot: row.text(1),
      due: row.time(3), state: state, prompts: row.integer(5), snoozes: row.integer(6),
      isTold: row.bool(7), changedAt: row.time(8), by: row.text(9), reason: row.text(10),
      isLate: row.bool(11))
  }
}

extension StateChange {
  /// Insert or replace an item of a routine.
  public static func putRoutineItem(_ item: RoutineItem) -> StateChange {
    .put(item, in: .routineItem)
  }

  /// Remove an item of a routine; its occurrences stay.
  public static func removeRoutineItem(_ id: RoutineItemID) -> StateChange {
    .remove(id.rawValue, from: .routineItem)
  }

  /// Insert or replace a due time of an item, by item and slot.
  public static func putOccurrence(_ occurrence: Occurrence) -> StateChange {
    .put(occurrence, in: .occurrence)
  }
}
