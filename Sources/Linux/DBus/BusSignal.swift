/// A signal from the bus.
public struct BusSignal: Hashable, Sendable {
  /// Who sent it: the unique name of a connection.
  public var sender: String
  /// The object that it is about.
  public var path: String
  /// The interface that it belongs to.
  public var interface: String
  /// Its name.
  public var member: String
  /// What it says.
  public var arguments: [BusValue]

  /// A signal from its parts.
  public init(
    sender: String, path: String, interface: String, member: String, arguments: [BusValue]
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
