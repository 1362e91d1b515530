import CGPIO
import Glibc
import Texts

/// A line that this program has; let go when the value goes away.
final class GPIOHandle {
  private let handle: OpaquePointer
  private let line: GPIOLine

  init(_ line: GPIOLine, isOutput: Bool) throws(GPIOError) {
    var failure = homeward_gpio_failure()
    let opened = line.chip.withCString { chip in
      line.line.withCString { name in
        var request = homeward_gpio_request(
          chip: chip, line: name, is_output: isOutput, is_active_low: line.isActiveLow,
          bias: line.bias.number)
        return homeward_gpio_open(&request, &failure)
      }
    }
    guard let opened else { throw GPIOError(failure, of: line) }
    handle = opened
    self.line = line
  }

  deinit { homeward_gpio_close(handle) }

  var descriptor: Int32 { homeward_gpio_descriptor(handle) }

  func isActive() throws(GPIOError) -> Bool {
    let answer = homeward_gpio_value(handle)
    if answer < 0 { throw broken() }
    return answer == 1
  }

  func set(_ isActive: Bool) throws(GPIOError) {
    if homeward_gpio_set(handle, isActive) < 0 { throw broken() }
  }

  func readEdges() throws(GPIOError) -> [GPIOEdge] {
    var edges = [homeward_gpio_edge](repeating: homeward_gpio_edge(), count: 16)
    let count = homeward_gpio_read(handle, &edges, Int32(edges.count))
    if count < 0 { throw broken() }
    return edges.prefix(Int(count)).map {
      GPIOEdge(isActive: $0.is_active, stampNanoseconds: $0.nanoseconds)
    }
  }

  private func broken() -> GPIOError {
    GPIOError(
      .broken,
      Message(
        "The {line} does not answer any more ({reason}). " + "Check that the board is plugged in.",
        ["line": line.message, "reason": String(cString: strerror(errno))]))
  }
}

extension GPIOLine.Bias {
  fileprivate var number: Int32 {
    switch self {
    case .asIs: Int32(HOMEWARD_GPIO_BIAS_AS_IS.rawValue)
    case .disabled: Int32(HOMEWARD_GPIO_BIAS_DISABLED.rawValue)
    case .pullUp: Int32(HOMEWARD_GPIO_BIAS_PULL_UP.rawValue)
    case .pullDown: Int32(HOMEWARD_GPIO_BIAS_PULL_DOWN.rawValue)
    }
  }
}

extension GPIOError {
  fileprivate init(_ failure: homeward_gpio_failure, of line: GPIOLine) {
    let consumer = withUnsafeBytes(of: failure.consumer) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    switch homeward_gpio_trouble(rawValue: UInt32(bitPattern: failure.trouble)) {
    case HOMEWARD_GPIO_NO_CHIP:
      let wanted =
        line.chip.isEmpty
        ? Message("No GPIO chip has a line {line}", ["line": line.line])
        : Message("There is no GPIO chip {chip}", ["chip": line.chip])
      self.init(
        .noChip,
        Message(
          "{wanted}. Plug the board in, or take a name that gpioinfo shows.", ["wanted": wanted]))
    case HOMEWARD_GPIO_NO_LINE:
      self.init(
        .noLine,
        Message(
          "GPIO chip {chip} has no line {line}. Take a name or number that gpioinfo shows.",
          ["chip": line.chip, "line": line.line])
      )
    case HOMEWARD_GPIO_BUSY:
      let who = consumer.isEmpty ? Message("Another program") : Message(verbatim: "\"\(consumer)\"")
      self.init(
        .busy,
        Message(
          "{who} has the {line} already. End it, or take another line.",
          ["who": who, "line": line.message]))
    case HOMEWARD_GPIO_FORBIDDEN:
      self.init(
        .forbidden,
        Message(
          "The {line} may not be opened. The service's user has to be in the group gpio.",
          ["line": line.message])
      )
    default:
      self.init(
        .broken,
        Message(
          "The {line} cannot be had ({reason}).",
          ["line": line.message, "reason": String(cString: strerror(failure.error))]))
    }
  }
}
