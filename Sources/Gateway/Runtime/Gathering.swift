import Care
import JSON
import Loop
import Ports

/// Asks for so many elements of a list behind a place.
typealias PartOfList<Element: Sendable> =
  @LoopActor (
    Int, ListPlace?,
    @escaping @LoopActor @Sendable (Result<ListPage<Element>, StoreError>) -> Void
  ) -> Void

/// Asks for parts of a list, of which not everybody may see every element, until as many were told as are wanted, or the list
/// ends.
///
/// - Parameters:
///   - tell: an element as it may be seen; nil where it may not.
@LoopActor
func gather<Element: Placed & Sendable>(
  _ wanted: Int, from place: ListPlace?, ask: @escaping PartOfList<Element>,
  tell: @escaping @LoopActor (Element) -> JSONValue?,
  completion: @escaping @LoopActor (Result<ListPage<JSONValue>, StoreError>) -> Void
) {
  Gathering(wanted: wanted, place: place, ask: ask, tell: tell, completion: completion).goOn()
}

/// A part of a list that is being gathered; it lives as long as the store owes it an answer.
@LoopActor
private final class Gathering<Element: Placed & Sendable> {
  /// The most rows that are looked at for one part: whoever may see few of many is answered less, and asks on.
  private let lookedAtMost = 80_000
  /// So many are looked at before something else has its turn.
  private static var atOnce: Int { 16 }

  private let wanted: Int
  private let ask: PartOfList<Element>
  private let tell: @LoopActor (Element) -> JSONValue?
  private let completion: @LoopActor (Result<ListPage<JSONValue>, StoreError>) -> Void
  private var place: ListPlace?
  private var told: [JSONValue] = []
  private var lookedAt = 0

  init(
    wanted: Int, place: ListPlace?, ask: @escaping PartOfList<Element>,
    tell: @escaping @LoopActor (Element) -> JSONValue?,
    completion: @escaping @LoopActor (Result<ListPage<JSONValue>, StoreError>) -> Void
  ) {
    self.wanted = wanted
    self.place = place
    self.ask = ask
    self.tell = tell
    self.completion = completion
  }

  func goOn() {
    // Where some were left out more of them will be.
    ask(lookedAt == 0 ? wanted : wanted * 2 + 100, place) { [self] found in
      switch found {
      case .success(let page): EventLoop.current.postInTurn { [self] in take(page, from: 0) }
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Takes some elements of a part, and the others in turn with whatever else the gateway has to do.
  private func take(_ page: ListPage<Element>, from first: Int) {
    let last = min(first + Self.atOnce, page.elements.count)
    for (index, element) in page.elements[first..<last].enumerated() {
      place = element.place(behind: place)
      if let told = tell(element) { self.told.append(told) }
      if told.count == wanted, first + index < page.elements.count - 1 {
        return completion(.success(ListPage(told, next: place)))
      }
    }
    guard last == page.elements.count else {
      return EventLoop.current.postInTurn { [self] in take(page, from: last) }
    }
    lookedAt += page.elements.count
    place = page.next
    guard place != nil, told.count < wanted, lookedAt < lookedAtMost else {
      return completion(.success(ListPage(told, next: place)))
    }
    goOn()
  }
}
