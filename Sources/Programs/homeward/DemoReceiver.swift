import Glibc
import WalkSimulator

/// Where the demonstration's positions come from.
enum DemoReceiver {
  /// A walk that is made up.
  case simulated(Outing)
  /// A receiver that is plugged in, to be served by a gpsd of the demonstration.
  case device(String)
  /// A gpsd that runs already and has a receiver.
  case gpsd(port: Int, devices: [String])

  /// The receiver of this machine, or a made-up walk when there is none.
  static func find(isSimulationWanted: Bool) throws(CommandFailure) -> DemoReceiver {
    if !isSimulationWanted {
      if let probe = try? GPSDProbe(host: "127.0.0.1", port: 2947), !probe.devices.isEmpty {
        return .gpsd(port: 2947, devices: probe.devices)
      }
      if let device = ReceiverChecks.serialDevices.first { return .device(device) }
    }
    guard let home = Outing.nowhere else {
      throw CommandFailure(.failed, gettext("there is no such place."))
    }
    return .simulated(Outing(seed: 1, home: home))
  }

  /// What gpsd is to open; nil when one runs already.
  func gpsdDevice(_ world: DemoWorld) -> String? {
    switch self {
    case .simulated: "udp://127.0.0.1:\(world.receiverPort)"
    case .device(let path): path
    case .gpsd: nil
    }
  }

  var outing: Outing? {
    if case .simulated(let outing) = self { outing } else { nil }
  }
}

/// Sends the sentences of a walk to gpsd, second by second, in real time.
struct DemoFeed {
  private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  private let port: Int

  init(port: Int) { self.port = port }

  /// Sends one second; what gets lost is lost, as on a serial line.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var place = LoopbackPort.address(port: port)
    withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func end() { close(descriptor) }
}
