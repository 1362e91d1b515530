import Care
import JSON
import Loop
import PluginKit
import PluginProtocol
import WebServer

/// Shows the gateway's figures and its health to whoever watches the machine.
@LoopActor
final class MetricsPlugin: Plugin {
  /// A gateway that does not answer within so long is not healthy.
  private static let patienceMilliseconds: Int64 = 5000
  /// So often it tries again to listen.
  private static let retryMilliseconds: Int64 = 30_000

  private(set) var health = PluginHealth(state: .working)
  private let link: HostLink
  private var pages: MetricsPages?
  private var folder = ""
  private var retry: LoopTimer?

  init(_ link: HostLink) { self.link = link }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let address = request.settings["listen"]?.stringContent ?? "127.0.0.1"
    guard MetricsPages.isLoopback(address) else {
      throw RPCError(
        code: RPCError.invalidParametersCode,
        message: gettext(
          "{address} is no address of this machine alone, and there is no password on the figures; set listen to 127.0.0.1",
          ["address": address]))
    }
    let port = UInt16(clamping: request.settings["port"]?.integerContent ?? 8473)
    folder = request.stateDirectory
    let pages = MetricsPages(
      listen: address, port: port,
      metrics: { [weak self] answer in self?.figures(answer) },
      health: { [weak self] answer in self?.report(answer) })
    self.pages = pages
    retry = LoopTimer { [weak self] in self?.listen(address, port) }
    listen(address, port)
    return DeliveryCredits()
  }

  /// A port that another program has may be free later.
  private func listen(_ address: String, _ port: UInt16) {
    guard let pages else { return }
    do {
      try pages.start()
      health = PluginHealth(state: .working)
      notePort()
    } catch {
      health = PluginHealth(
        state: .failed, code: "port",
        detail: gettext(
          "it cannot listen on {address} port {port}: {reason}",
          ["address": address, "port": Int64(port), "reason": error.reason]))
      retry?.set(afterMilliseconds: Self.retryMilliseconds)
    }
    link.healthChanged()
  }

  private func notePort() {
    guard let port = pages?.port else { return }
    let file = StateFile(directory: folder, name: "port") { number in
      PluginLog.write(.warning, "the port could not be written down: error \(number)")
    }
    file.replace(with: Array("\(port)\n".utf8))
  }

  // MARK: What is asked of the gateway

  private func figures(_ answer: @escaping @LoopActor (String?) -> Void) {
    ask("metrics") { answer($0?["text"]?.stringContent) }
  }

  private func report(_ answer: @escaping @LoopActor (Bool, JSONValue) -> Void) {
    ask("health") { report in
      guard let report else {
        return answer(false, ["healthy": false, "detail": "The gateway does not answer."])
      }
      answer(report["healthy"]?.boolContent == true, report)
    }
  }

  /// Asks the gateway; nil where it refuses, or does not answer in time.
  private func ask(_ question: String, _ answer: @escaping @LoopActor (JSONValue?) -> Void) {
    let once = Once(answer)
    let timer = LoopTimer { once.give(nil) }
    timer.set(afterMilliseconds: Self.patienceMilliseconds)
    link.ask(question) { result in
      timer.cancel()
      once.give(try? result.get())
    }
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    retry?.cancel()
    pages?.stop()
    completion()
  }
}

/// An answer that is given once, however often it comes.
@LoopActor
private final class Once {
  private var answer: (@LoopActor (JSONValue?) -> Void)?

  init(_ answer: @escaping @LoopActor (JSONValue?) -> Void) { self.answer = answer }

  func give(_ value: JSONValue?) {
    let waiting = answer
    answer = nil
    waiting?(value)
  }
}
