import Care
import Moments
import Ports

/// Gathers a page of a list from rows that come one by one: as many as are wanted, and whether there are more.
struct PageOfRows<Element> {
  private let limit: Int
  private(set) var elements: [Element] = []
  /// Where the list goes on, known as soon as one more was there than is wanted.
  private(set) var next: ListPlace?
  private var last: ListPlace?

  init(limit: Int) { self.limit = limit }

  /// Takes the next element with its place; false when no more are wanted.
  mutating func take(_ element: Element, at place: @autoclosure () -> ListPlace) -> Bool {
    guard elements.count < limit else {
      next = last
      return false
    }
    elements.append(element)
    if elements.count == limit { last = place() }
    return true
  }

  var page: ListPage<Element> { ListPage(elements, next: next) }
}

/// The stretch of time in which a page looks, of a list that goes from the latest back.
struct PageSpan {
  private let first: Int64
  private let last: Int64
  /// The last element of the page before: of those with its time its ids say which were given.
  let after: ListPlace?

  init(since: Timestamp?, until: Timestamp?, after: ListPlace?) {
    first = since?.milliseconds ?? .min
    let end = until.map { $0.milliseconds == .min ? .min : $0.milliseconds - 1 } ?? .max
    last = min(end, after?.numbers.first ?? .max)
    self.after = after
  }

  /// The first and the last time, both within.
  var bindings: [Binding] { [.integer(first), .integer(last)] }
  /// The time of the last element that was given; that of no element without one.
  var given: Binding { .integer(after?.numbers.first ?? .max) }

  /// One of the ids of the last element that was given.
  func text(_ index: Int) -> Binding {
    .text(after.flatMap { $0.texts.indices.contains(index) ? $0.texts[index] : nil } ?? "")
  }
}
