public import Care
import Moments

/// Where a list goes on: behind the last element that was given, by what the list is ordered by.
///
/// What comes to a list or goes from it before that place moves nothing behind it. What the numbers and texts are, each
/// list knows for itself.
public struct ListPlace: Hashable, Sendable {
  /// Times in milliseconds, or numbers of rows.
  public var numbers: [Int64]
  /// Ids, where several elements may have the same numbers.
  public var texts: [String]

  /// A place by the numbers and texts that its list is ordered by.
  public init(_ numbers: [Int64], _ texts: [String] = []) {
    self.numbers = numbers
    self.texts = texts
  }
}

/// Part of a list.
public struct ListPage<Element> {
  /// The elements, in the list's order.
  public var elements: [Element]
  /// Where the rest begins; nil when there is none.
  public var next: ListPlace?

  /// A part from its elements.
  public init(_ elements: [Element], next: ListPlace? = nil) {
    self.elements = elements
    self.next = next
  }

  /// The same part with other elements in the place of its own.
  public func map<Other>(_ change: (Element) throws -> Other) rethrows -> ListPage<Other> {
    ListPage<Other>(try elements.map(change), next: next)
  }
}

extension ListPage: Sendable where Element: Sendable {}
extension ListPage: Equatable where Element: Equatable {}

/// What knows its own place in the list that it is asked for in.
public protocol Placed {
  /// The place behind it, from that behind the element before; nil for the first.
  func place(behind: ListPlace?) -> ListPlace
}

extension JournalRow: Placed {
  /// A number in the journal, and one in the traces; where nothing was given yet, the greatest there is.
  public func place(behind: ListPlace?) -> ListPlace {
    let (journal, traces) = (behind?.numbers.first ?? .max, behind?.numbers.last ?? .max)
    return ListPlace(lane == .trace ? [journal, sequence] : [sequence, traces])
  }
}

extension ChatMessage: Placed {
  /// When it was sent, and its id.
  public func place(behind: ListPlace?) -> ListPlace {
    ListPlace([sentAt.milliseconds], [id.rawValue])
  }
}
