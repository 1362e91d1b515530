import Care
import Door
import JSON
import Moments
import Testing

/// Who comes back from an identity provider, and who does not.
@Suite("Who was led to an identity provider") struct OpenIDFlowTests {
  private static let connecting = OpenIDFlows.Flow.Connecting(account: "anna", session: "s1")

  /// Two have begun: one who logs in, and Anna who connects her account.
  private static func begun() -> OpenIDFlows {
    var flows = OpenIDFlows()
    flows.add(
      OpenIDFlows.Flow(redirect: "r", next: "/map", secrets: "x"), state: "in", binding: "b",
      at: .seconds(100))
    flows.add(
      OpenIDFlows.Flow(redirect: "r", connecting: connecting), state: "own", binding: "c",
      at: .seconds(100))
    return flows
  }

  @Test(
    "Only the browser that began comes back, within ten minutes, with the session that asked",
    arguments: [
      ("in", "b", nil, 0, true), ("in", "b", nil, 599, true), ("in", "b", nil, 600, false),
      ("in", "b", "s1", 1, true), ("in", "c", nil, 1, false), ("in", "", nil, 1, false),
      ("own", "b", "s1", 1, false), ("own", "c", "s1", 1, true), ("own", "c", "s2", 1, false),
      ("own", "c", nil, 1, false), ("", "b", nil, 1, false), ("made up", "b", nil, 1, false),
    ] as [(String, String, String?, Int64, Bool)])
  func back(state: String, binding: String, session: String?, after: Int64, isLetIn: Bool) {
    var flows = Self.begun()
    let now = Tick.seconds(100 + after)
    let flow = flows.take(state: state, binding: binding, session: session, at: now)
    #expect((flow != nil) == isLetIn)
    if isLetIn { #expect(flow?.connecting == (state == "own" ? Self.connecting : nil)) }
    // Nobody comes back twice, and who is refused takes it from nobody.
    #expect(flows.take(state: state, binding: binding, session: session, at: now) == nil)
    if !isLetIn, after < 600 {
      #expect(flows.take(state: "in", binding: "b", session: nil, at: now)?.next == "/map")
      #expect(flows.take(state: "own", binding: "c", session: "s1", at: now) != nil)
    }
  }

  @Test("Of too many the oldest is forgotten")
  func many() {
    var flows = OpenIDFlows()
    for number in 0...OpenIDFlows.mostKept {
      flows.add(
        OpenIDFlows.Flow(redirect: "r"), state: "\(number)", binding: "b",
        at: .milliseconds(Int64(number)))
    }
    let now = Tick.seconds(10)
    #expect(flows.take(state: "0", binding: "b", session: nil, at: now) == nil)
    #expect(flows.take(state: "1", binding: "b", session: nil, at: now) != nil)
    #expect(
      flows.take(state: "\(OpenIDFlows.mostKept)", binding: "b", session: nil, at: now) != nil)
  }
}
