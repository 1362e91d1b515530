import Bytes
import Care
import PluginProtocol
import Texts

/// What a plugin did that ends its process.
enum PluginFault: Error, Hashable, Sendable {
  case lineTooLong
  case notJSONRPC(DecodeError)
  case wrongOutcomes(Lane, DecodeError)
  case noAnswer(method: String, milliseconds: Int64)
  case deliverFailed(Lane, RPCError)
  case wrongHandshake(Message)
  case closedOutput
  case ended(ProcessEnd)
  case notStarted(Message)

  /// A stable word for health reports.
  var code: String {
    switch self {
    case .lineTooLong: "line-too-long"
    case .notJSONRPC: "not-json-rpc"
    case .wrongOutcomes: "wrong-outcomes"
    case .noAnswer: "no-answer"
    case .deliverFailed: "deliver-failed"
    case .wrongHandshake: "wrong-handshake"
    case .closedOutput: "closed-output"
    case .ended: "ended"
    case .notStarted: "not-started"
    }
  }

  /// What happened, in one sentence.
  var sentence: Message {
    switch self {
    case .lineTooLong:
      Message(
        "it sent a line of more than {bytes} bytes", ["bytes": PluginLimits.lineFromPluginBytes])
    case .notJSONRPC(let error):
      Message("it sent a line that is no JSON-RPC: {error}", ["error": error])
    case .wrongOutcomes(let lane, let error):
      Message(
        "its outcomes do not cover the {lane} batch: {error}",
        ["lane": lane.rawValue, "error": error])
    case .noAnswer(let method, let milliseconds):
      Message(
        "it did not answer {method} within {milliseconds} ms",
        ["method": method, "milliseconds": milliseconds])
    case .deliverFailed(let lane, let error):
      Message(
        "it answered the {lane} batch with error {code}: {reason}",
        ["lane": lane.rawValue, "code": error.code, "reason": error.message.asPluginReason()])
    case .wrongHandshake(let reason):
      Message("its answer to initialize does not fit: {reason}", ["reason": reason])
    case .closedOutput: Message("it closed its standard output")
    case .ended(let end): end.message
    case .notStarted(let reason): reason
    }
  }
}
