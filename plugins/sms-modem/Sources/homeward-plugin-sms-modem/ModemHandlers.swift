import Loop
import Moments
import PluginProtocol
import ShortMessage

/// How sending a message ended.
enum SendResult: Hashable, Sendable {
  /// The network has all of it.
  case sent
  /// The network refused, in words for people; another try may help.
  case refused(String)
  /// The modem stopped answering; it was not tried.
  case modemFailed(String)
}

/// What a modem tells.
struct ModemHandlers {
  /// It became ready, or is no more; or its health changed.
  var onChange: @LoopActor () -> Void
  /// A report of delivery came.
  var onReport: @LoopActor (UInt8, PhoneAddress, StatusReportFrame.Outcome) -> Void
  /// A message came; `isHandled` is called with true once it may be deleted.
  var onReceived:
    @LoopActor (ReceivedText, _ isHandled: @escaping @LoopActor (Bool) -> Void) -> Void
  /// The message centre told the time in passing.
  var onNetworkTime: @LoopActor (Timestamp) -> Void = { _ in }
  /// The modem says something of calls.
  var onCallNews: @LoopActor (CallNews) -> Void
  /// Something is out of reach until the plugin starts again, for that reason.
  var onNeedsRestart: @LoopActor (_ reason: String) -> Void
  /// The PIN is about to be tried; continues when that is written down.
  var onPINTry: @LoopActor (_ proceed: @escaping @LoopActor () -> Void) -> Void
  /// The PIN was right.
  var onPINAccepted: @LoopActor () -> Void
  /// Whether this PIN was tried before without success.
  var isPINSpent: @LoopActor () -> Bool
}
