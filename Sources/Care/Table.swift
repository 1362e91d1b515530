public import Texts

/// A table of `care.db` as its owner declares it: what a row is made of, whose it is, and what people call it.
///
/// The module that decides about the rows declares the table, as a static member of this type with one instance for ever.
/// The store makes from it what is written, checked, brought back after damage, and erased with a resident; the migration
/// that first makes the table stands with the others, and a test compares the two.
public final class Table: Sendable {
  /// Its name in the database: small letters, with an underscore between words.
  public let name: String
  /// Its name in a change as JSON (`glucose-reading`).
  public let word: String
  /// Its columns but the checksum: first those of the key.
  public let columns: [Column]
  /// How many of the columns are the key; 0 where the database numbers the rows and they are only ever added.
  public let keyColumns: Int
  /// Whose a row is.
  public let belonging: Belonging
  /// Whether each row carries a checksum.
  public let isChecked: Bool
  /// Rows of another table that go with each row; nil for none.
  public let part: Part?
  /// Where people's name for a row stands.
  public let label: Label
  /// What a row is called that is not as it was written; nobody asks where there is no checksum.
  public let words: @Sendable (RowName) -> Message

  /// A table from its parts.
  ///
  /// - Parameters:
  ///   - key: the columns of the key, none for rows that are only ever added.
  ///   - others: the other columns, in the order in which their values are given.
  public init(
    _ name: String, key: [Column], _ others: [Column], of belonging: Belonging,
    isChecked: Bool = true, part: Part? = nil, label: Label = .key,
    words: @escaping @Sendable (RowName) -> Message = { _ in
      Message("a note that the store keeps of itself")
    }
  ) {
    self.name = name
    word = String(name.map { $0 == "_" ? "-" : $0 })
    columns = key + others
    keyColumns = key.count
    self.belonging = belonging
    self.isChecked = isChecked
    self.part = part
    self.label = label
    self.words = words
  }
}

extension Table {
  /// One column.
  public struct Column: Hashable, Sendable {
    /// What SQLite lets in.
    public enum Kind: String, Hashable, Sendable {
      /// Text in UTF-8.
      case text = "TEXT"
      /// A whole number of 64 bits.
      case integer = "INTEGER"
      /// A number with a fraction.
      case real = "REAL"
    }

    /// Its name.
    public var name: String
    /// What it holds.
    public var kind: Kind
    /// Whether it may hold nothing.
    public var isOptional: Bool

    /// A column of text.
    public static func text(_ name: String, isOptional: Bool = false) -> Column {
      Column(name: name, kind: .text, isOptional: isOptional)
    }

    /// A column of whole numbers: counts, milliseconds, 1 for true.
    public static func integer(_ name: String, isOptional: Bool = false) -> Column {
      Column(name: name, kind: .integer, isOptional: isOptional)
    }

    /// A column of numbers with fractions.
    public static func real(_ name: String, isOptional: Bool = false) -> Column {
      Column(name: name, kind: .real, isOptional: isOptional)
    }
  }

  /// Whose the rows of a table are: what goes when a resident is erased.
  public enum Belonging: Hashable, Sendable {
    /// Of the resident whose id stands in a column.
    case resident(String)
    /// Of the resident of whom a column says `resident/<id>`.
    case subject(String)
    /// Of the resident whose id stands in a column, as it is or as `resident/<id>`.
    case residentOrSubject(String)
    /// Of whoever has the row of another table, whose key stands in a column.
    case row(of: String, by: String)
    /// Of somebody, and nobody can tell of whom: all go with anybody.
    case anybody
    /// Of no resident, for a reason.
    case nobody(because: String)
  }

  /// Rows of another table that are replaced with each row and removed with it.
  public struct Part: Sendable {
    /// What stands in a column of those rows.
    public enum Match: Hashable, Sendable {
      /// Always the same.
      case text(String)
      /// The key of the row that they go with, behind some words.
      case key(after: String)
    }

    /// Where they stand.
    public var table: Table
    /// By which columns they are known.
    public var columns: [(name: String, match: Match)]

    /// A part from its table and what its rows are known by.
    public init(_ table: Table, by columns: KeyValuePairs<String, Match>) {
      self.table = table
      self.columns = columns.map { ($0.key, $0.value) }
    }
  }

  /// Where people's name for a row stands.
  public enum Label: Hashable, Sendable {
    /// In the last column of the key, for want of anything better.
    case key
    /// In a column.
    case column(String)
    /// In a member of the JSON in a column.
    case member(String, of: String)
  }

  /// How a row is told of that cannot be read.
  public struct RowName: Hashable, Sendable {
    /// The values of its key, as far as they can be told.
    public var key: [String]
    /// What people call it; its key where nothing else is known.
    public var label: String

    /// A name from its parts.
    public init(key: [String], label: String) {
      self.key = key
      self.label = label
    }
  }
}

extension Table: Hashable {
  /// Two are the same when they are one and the same.
  public static func == (left: Table, right: Table) -> Bool { left === right }

  /// As ``==``.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
