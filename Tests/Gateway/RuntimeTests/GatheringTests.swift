import Care
import JSON
import Loop
import LoopTestSupport
import Ports
import Testing

@testable import Runtime

/// Lists of which not everybody may see every element.
@Suite("Lists: what else there is to do goes on") @LoopActor struct GatheringTests {
  private struct Row: Placed {
    var number: Int64
    func place(behind: ListPlace?) -> ListPlace { ListPlace([number], []) }
  }

  @Test("Nothing else waits until a long list has been looked through, and nothing of it is lost")
  func slices() async throws {
    let rows = (0..<100).map { Row(number: $0) }
    var (looked, before): (Int, Int?) = (0, nil)
    let page = try await withLoopContinuation { continuation in
      gather(
        60, from: nil,
        ask: { _, _, answer in answer(.success(ListPage(rows, next: ListPlace([99], [])))) },
        tell: { row in
          looked += 1
          return row.number % 2 == 0 ? nil : .integer(row.number)
        },
        completion: { continuation.resume(returning: $0) })
      EventLoop.current.post { before = looked }
    }.get()
    #expect(try #require(before) <= 32, "after \(before ?? 0) of them")
    #expect(page.elements.prefix(50) == stride(from: 1, to: 100, by: 2).map { .integer($0) }[...])
    #expect(page.elements.count == 60)
  }

  @Test("However many lists are looked through at a time, a turn is no longer than one part of one")
  func manyAtOnce() async {
    let rows = (0..<100).map { Row(number: $0) }
    var (looked, longest, left) = (0, 0, 20)
    var turn: @LoopActor @Sendable () -> Void = {}
    await withLoopContinuation { continuation in
      for _ in 0..<left {
        gather(
          100, from: nil, ask: { _, _, answer in answer(.success(ListPage(rows))) },
          tell: { row in
            looked += 1
            return .integer(row.number)
          },
          completion: { _ in
            left -= 1
            if left == 0 { continuation.resume(returning: ()) }
          })
      }
      var before = looked
      turn = {
        longest = max(longest, looked - before)
        before = looked
        if left > 0 { EventLoop.current.post(turn) }
      }
      EventLoop.current.post(turn)
    }
    #expect(looked == 2000)
    #expect(longest <= 32, "\(longest) of them in one turn")
  }
}
