import Bytes
import Care
import JSON
import Loop
import PluginKit
import PluginProtocol
import Texts

/// Answers the services `report.draw` and `report.read`, on a thread of its own for each drawing; it asks nothing of anybody.
@LoopActor
final class ReportPlugin: Plugin {
  private let link: HostLink
  private var drawings = Drawings()
  private var waiting: [@LoopActor () -> Void] = []
  private var isBusy = false

  init(_ link: HostLink) { self.link = link }

  var health: PluginHealth {
    Fonts.haveChinese
      ? PluginHealth(state: .working)
      : PluginHealth(
        state: .failed, code: "no-fonts",
        detail: gettext(
          "The letters for reports are not installed. Whoever keeps this gateway runs: sudo apt install fonts-wqy-microhei"
        ))
  }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    DeliveryCredits()
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    do throws(DecodeError) {
      let reader = try JSONReader(params)
      let name = try reader.string("drawing")
      let offset = Int(try reader.count("offset"))
      switch service {
      case "report.draw":
        guard let piece = Base64.decode(try reader.string("piece")) else {
          throw reader.error(.outOfRange, "piece")
        }
        let isLast = try reader.bool("isLast")
        take(piece, at: offset, isLast: isLast, of: name, reply)
      case "report.read": reply(read(name, from: offset))
      default: reply(.failure(.methodNotFound(service)))
      }
    } catch {
      reply(.failure(RPCError(code: RPCError.invalidParametersCode, message: "\(error)")))
    }
  }

  private func take(
    _ piece: [UInt8], at offset: Int, isLast: Bool, of name: String,
    _ reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    do throws(DrawingFault) {
      guard let parcel = try drawings.take(piece, at: offset, isLast: isLast, of: name) else {
        return reply(.success(.object([])))
      }
      waiting.append { [weak self] in self?.draw(parcel, as: name, reply) }
      next()
    } catch {
      reply(.failure(Self.refusal(error)))
    }
  }

  private func next() {
    guard !isBusy, !waiting.isEmpty else { return }
    isBusy = true
    waiting.removeFirst()()
  }

  private func draw(
    _ parcel: [UInt8], as name: String,
    _ reply: @escaping @LoopActor @Sendable (Result<JSONValue, RPCError>) -> Void
  ) {
    let done = { @LoopActor @Sendable (drawn: Result<(pdf: [UInt8], pages: Int), DrawingFault>) in
      self.isBusy = false
      self.drawings.note(try? drawn.get().pdf, as: name)
      switch drawn {
      case .success(let drawn):
        reply(
          .success([
            "size": .integer(Int64(drawn.pdf.count)), "pages": .integer(Int64(drawn.pages)),
          ]))
      case .failure(let fault): reply(.failure(Self.refusal(fault)))
      }
      self.next()
    }
    let begun = SystemThread.start(name: "report") {
      let drawn = Result { () throws(DrawingFault) in try Drawings.drawn(from: parcel) }
      EventLoop.current.post { done(drawn) }
    }
    if !begun {
      done(.failure(DrawingFault(Message("There is no room for another thread now."))))
    }
  }

  private func read(_ name: String, from offset: Int) -> Result<JSONValue, RPCError> {
    do throws(DrawingFault) {
      let (bytes, isLast) = try drawings.piece(of: name, from: offset)
      let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
      return .success(["piece": .string(text), "isLast": .bool(isLast)])
    } catch {
      return .failure(Self.refusal(error))
    }
  }

  private static func refusal(_ fault: DrawingFault) -> RPCError {
    RPCError(
      code: RPCError.refusedCode, message: fault.message.text(in: PluginLanguage.current))
  }
}
