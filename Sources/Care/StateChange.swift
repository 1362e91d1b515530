public import Moments

/// One change of what is stored, written in the same transaction as the events of its step.
///
/// Rows of tables are changed by those who declare the table, who also give each change a name of its own
/// (`StateChange.putZone`).
public enum StateChange: Hashable, Sendable {
  /// Write a row of a declared table, in the place of the one with the same key.
  case put(TableRow)
  /// Remove a row of a declared table.
  case remove(TableKey)
  /// Remove a resident and everything that belongs to them: zones, bookmarks, settings, records, journal, traces, inputs.
  case eraseResident(ResidentID)
  /// Insert or replace a row of engine state.
  case putEngineRow(EngineRow)
  /// Remove a row of engine state.
  case removeEngineRow(engine: String, subject: String, name: String)
  /// Append to the audit log.
  case addAudit(AuditEntry)
}

extension StateChange {
  /// A change that writes a row.
  public static func put(_ content: any RowContent, in table: Table) -> StateChange {
    .put(TableRow(content, in: table))
  }

  /// A change that removes the row with a key, a value for each column of it.
  public static func remove(_ key: String..., from table: Table) -> StateChange {
    .remove(TableKey(table, key))
  }

  /// The row that it writes into a table; nil for any other change.
  public func row<Content: RowContent>(_ kind: Content.Type, in table: Table) -> Content? {
    guard case .put(let row) = self, row.table == table else { return nil }
    return row.content as? Content
  }

  /// The key of the row that it removes from a table, a value for each column of it; nil for any other change.
  public func removedKey(from table: Table) -> [String]? {
    guard case .remove(let key) = self, key.table == table else { return nil }
    return key.values
  }
}

/// Who changed or looked at what, and when.
public struct AuditEntry: Hashable, Sendable {
  /// When.
  public var time: Timestamp
  /// Who, as `channel:name`.
  public var principal: String
  /// The command's id.
  public var command: String
  /// What was asked, as its request word (`zone.put`).
  public var action: String
  /// The target's id.
  public var target: String
  /// `done`, or the code of the refusal.
  public var outcome: String

  /// An entry from its parts.
  public init(
    time: Timestamp, principal: String, command: String, action: String, target: String,
    outcome: String
  ) {
    self.time = time
    self.principal = principal
    self.command = command
    self.action = action
    self.target = target
    self.outcome = outcome
  }
}
