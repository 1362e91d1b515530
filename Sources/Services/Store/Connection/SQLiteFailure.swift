import CSQLite
import Ports
import Texts

/// What SQLite answered, kept until somebody decides what it means.
struct SQLiteFailure: Error {
  /// The primary result code.
  let primary: Int32
  /// The extended result code.
  let extended: Int32
  /// SQLite's own words, and which file.
  let detail: String

  init(_ extended: Int32, detail: String) {
    primary = extended & 0xFF
    self.extended = extended
    self.detail = detail
  }

  /// Whether the same statements can succeed later without anybody changing them.
  ///
  /// Everything else is the fault of what was to be written and would fail for ever.
  var isTransient: Bool {
    [
      SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM,
      SQLITE_CANTOPEN, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_PROTOCOL, SQLITE_INTERRUPT,
      SQLITE_PERM, SQLITE_AUTH,
    ].contains(primary)
  }

  /// The failure as callers see it.
  var storeError: StoreError {
    switch primary {
    case SQLITE_FULL:
      StoreError(
        .full,
        Message(
          "The disk is full: free some space or insert a larger card ({reason}).",
          ["reason": detail]))
    case SQLITE_IOERR:
      StoreError(
        .inputOutput,
        Message(
          "The disk answers with errors: check the card and its power ({reason}).",
          ["reason": detail]))
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      StoreError(
        .readOnly,
        Message(
          "The database cannot be written: check owner and mount of its directory ({reason}).",
          ["reason": detail]))
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      StoreError(
        .locked,
        Message(
          "Another program holds the database: close it and try again ({reason}).",
          ["reason": detail]))
    case SQLITE_CORRUPT:
      StoreError(
        .corrupt,
        Message(
          "The database is damaged: run `homeward restore` to go back to the newest backup ({reason}).",
          ["reason": detail])
      )
    case SQLITE_NOTADB:
      StoreError(
        .notOurs,
        Message(
          "The file is no database: if it was one, run `homeward restore`; otherwise choose another directory ({reason}).",
          ["reason": detail])
      )
    case SQLITE_CANTOPEN:
      StoreError(
        .missing,
        Message(
          "The database cannot be opened: check that its directory exists ({reason}).",
          ["reason": detail]))
    default:
      StoreError(
        .other,
        Message("The database refused: report this with its text ({reason}).", ["reason": detail]))
    }
  }
}
