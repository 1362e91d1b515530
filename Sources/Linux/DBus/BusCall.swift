import CSystemd
public import Loop

/// A call that somebody made to an object of ours; answered once, now or later.
@LoopActor
public final class BusCall {
  /// Who calls: the unique name of a connection, which the bus vouches for.
  public let sender: String
  /// The object that is called.
  public let path: String
  /// The interface; empty when the caller names none.
  public let interface: String
  /// The method.
  public let member: String
  /// What the caller says.
  public let arguments: [BusValue]
  /// The message, which the answer refers to; let go of with the answer.
  private var message: OpaquePointer?
  private let send: @LoopActor (OpaquePointer) -> Void

  init(_ message: OpaquePointer, send: @escaping @LoopActor (OpaquePointer) -> Void) {
    sender = busText(sd_bus_message_get_sender(message))
    path = busText(sd_bus_message_get_path(message))
    interface = busText(sd_bus_message_get_interface(message))
    member = busText(sd_bus_message_get_member(message))
    arguments = BusValue.arguments(of: message)
    self.message = sd_bus_message_ref(message)
    self.send = send
  }

  /// Whether it was answered already.
  public var isAnswered: Bool { message == nil }

  /// Answers; does nothing when it was answered before.
  public func reply(_ values: [BusArgument] = []) {
    answer { call, reply in
      guard sd_bus_message_new_method_return(call, &reply) >= 0, let made = reply else {
        return false
      }
      return values.allSatisfy { $0.append(to: made) >= 0 }
    }
  }

  /// Answers with an error; does nothing when it was answered before.
  public func refuse(_ name: String, _ words: String) {
    answer { call, reply in
      name.withCString { name in
        words.withCString { words in
          var error = sd_bus_error(name: name, message: words, _need_free: 0)
          return sd_bus_message_new_method_error(call, &reply, &error) >= 0
        }
      }
    }
  }

  /// Lets go of a call that is none of ours, and leaves it to the library.
  func drop() {
    sd_bus_message_unref(message)
    message = nil
  }

  private func answer(_ make: (OpaquePointer, inout OpaquePointer?) -> Bool) {
    guard let message else { return }
    self.message = nil
    var reply: OpaquePointer?
    if make(message, &reply), let reply { send(reply) }
    sd_bus_message_unref(reply)
    sd_bus_message_unref(message)
  }
}

/// A text of the library's; empty for none.
func busText(_ pointer: UnsafePointer<CChar>?) -> String {
  pointer.map { String(cString: $0) } ?? ""
}
