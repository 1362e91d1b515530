public import JSON

/// What a row of a declared table says.
public protocol RowContent: Hashable, Sendable {
  /// A value for each column of its table, in their order.
  var columnValues: [ColumnValue] { get }
  /// The rows of its table's ``Table/part``, a value for each column; none by default.
  var partValues: [[ColumnValue]] { get }
  /// The JSON form.
  var json: JSONValue { get }
  /// What a change that writes it says as JSON, after what is done and where; by default `content` with the JSON form.
  var changeMembers: [JSONMember] { get }
}

extension RowContent {
  /// None.
  public var partValues: [[ColumnValue]] { [] }

  /// `content` with the JSON form.
  public var changeMembers: [JSONMember] { [JSONMember(key: "content", value: json)] }

  fileprivate func isEqual(to other: any RowContent) -> Bool { (other as? Self) == self }
}

/// What can also be read from its row, without its parts.
public protocol ReadableRow: RowContent {
  /// Reads a row whose columns are those of its table; nil for one that this version cannot make sense of.
  init?(_ row: some ColumnReader)
}

/// One row of a declared table.
public struct TableRow: Hashable, Sendable {
  /// The table.
  public let table: Table
  /// What the row says.
  public let content: any RowContent

  /// A row from its parts.
  public init(_ content: any RowContent, in table: Table) {
    self.table = table
    self.content = content
  }

  /// Whether both say the same in the same table.
  public static func == (left: TableRow, right: TableRow) -> Bool {
    left.table == right.table && left.content.isEqual(to: right.content)
  }

  /// As ``==``.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    hasher.combine(content)
  }
}

/// Which row of a declared table is meant.
public struct TableKey: Hashable, Sendable {
  /// The table.
  public let table: Table
  /// The values of its key.
  public let values: [String]

  /// The key of a row, a value for each column of it.
  public init(_ table: Table, _ values: [String]) {
    self.table = table
    self.values = values
  }
}
