import Buttons
import Care
import Gestures
import Glibc
import Loop

/// Watches an input device as the gateway does, and writes down what it hears: a process of its own, because a mock of
/// the kernel is preloaded into it.
///
///     homeward-button-probe DEVICE [KEY...]
///
/// One line for each gesture and each change of health; ends when a hold was heard.
enum ButtonProbe {
  static func run() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let device = arguments.first else { exit(2) }
    EventLoop.shared.post { start(device, keys: Array(arguments.dropFirst())) }
    while true { pause() }
  }

  @LoopActor private static var source: ButtonSource?

  @LoopActor
  private static func start(_ device: String, keys: [String]) {
    let input = InputDevice(device: device, keys: keys)
    let times = GestureTimes(holdMilliseconds: 2000)
    let watched = ButtonSource(options: .init(id: "probe", device: .input(input), times: times))
    source = watched
    watched.start { observation in
      switch observation {
      case .button(let report):
        say("gesture \(report.gesture.rawValue)")
        if report.gesture == .hold { exit(0) }
      case .health(let report): say("health \(report.state.rawValue) \(report.code)")
      default: say("something else")
      }
    }
  }

  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
  }
}
