import CareModel
import PluginProtocol

/// What a plugin did that ends its process.
enum PluginFault: Error, Hashable, Sendable {
  case lineTooLong
  case notJSONRPC(DecodeError)
  case wrongOutcomes(Lane, DecodeError)
  case noAnswer(method: String, milliseconds: Int64)
  case deliverFailed(Lane, RPCError)
  case wrongHandshake(String)
  case closedOutput
  case ended(ProcessEnd)
  case notStarted(String)

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
  var sentence: String {
    switch self {
    case .lineTooLong:
      "it sent a line of more than \(PluginLimits.lineFromPluginBytes) bytes"
    case .notJSONRPC(let error): "it sent a line that is no JSON-RPC: \(error)"
    case .wrongOutcomes(let lane, let error):
      "its outcomes do not cover the \(lane.rawValue) batch: \(error)"
    case .noAnswer(let method, let milliseconds):
      "it did not answer \(method) within \(milliseconds) ms"
    case .deliverFailed(let lane, let error):
      "it answered the \(lane.rawValue) batch with error \(error.code): \(error.message.asPluginReason())"
    case .wrongHandshake(let reason): "its answer to initialize does not fit: \(reason)"
    case .closedOutput: "it closed its standard output"
    case .ended(let end): "\(end)"
    case .notStarted(let reason): reason
    }
  }
}
