import Bytes
import Care
import Door
import JSON
import Loop
import Privacy
import Texts

/// What everybody passes who asks a question, and what plugins see of the answer.
@LoopActor
struct QuestionDoor {
  private let handlers: [Route: Handling.Handle]
  private let looks: LookNotes
  /// What may leave; nil for nothing at all.
  private let privacy: (@LoopActor () -> PrivacyFilter)?
  /// What the grants of plugins let be seen of answers.
  private let clearances = ClearanceCache { Clearance(asking: $0) }

  init(
    _ handlings: [Handling], looks: LookNotes, privacy: (@LoopActor () -> PrivacyFilter)?
  ) {
    handlers = Dictionary(handlings.map { ($0.route, $0.handle) }) { first, _ in first }
    self.looks = looks
    self.privacy = privacy
  }

  /// Answers a question; who may not have the answer is refused.
  func answer(
    _ route: Route, params: JSONValue, asking: Asking, _ answer: @escaping Answer
  ) {
    do {
      let params = params == .null ? .object([]) : params
      let reader = try JSONReader(params)
      let asked = Asked(route: route, params: params, reader: reader, asking: asking)
      let named = try asked.subject()
      let disarms = route.disarmingParameter.map { reader.optional($0) != nil } ?? false
      let decision = Policy.decide(asking, route, naming: named, disarms: disarms)
      if let refusal = decision.refusal(with: asking.proof) { return answer(.failure(refusal)) }
      guard let handle = handlers[route] else { return answer(.failure(Self.unknown(route))) }
      // Whose a thing is that an id names shows later; the list that told the id was noted.
      if route.reach != .found { looks.note(asking, at: named, route.needs) }
      try handle(asked, asking.grants.map { filtered(answer, to: route, $0) } ?? answer)
    } catch let refusal as CommandReply.Refusal {
      answer(.failure(refusal))
    } catch let error as DecodeError {
      answer(
        .failure(
          CommandReply.Refusal(
            .invalid, Message("The request does not fit: {error}.", ["error": error]))))
    } catch {
      answer(.failure(CommandReply.Refusal(.invalid, Message("The request does not fit."))))
    }
  }

  /// What goes to a plugin loses on its way what that was not granted.
  private func filtered(
    _ answer: @escaping Answer, to route: Route, _ grants: Set<String>
  ) -> Answer {
    let clearance = clearances.clearance(of: grants)
    return { [privacy] result in
      guard let privacy else { return answer(.success(.null)) }
      answer(
        result.map { whole in
          var shown = whole
          shown.content = AnswerFilter.filtered(
            whole.content, to: route.name, route.answer, clearance, privacy())
          return shown
        })
    }
  }

  private static func unknown(_ route: Route) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "This gateway does not know the request \"{method}\". Are both programs of the same version?",
        ["method": route.name]))
  }
}
