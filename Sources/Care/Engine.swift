public import Bytes
public import JSON
public import Moments

/// A feature that decides: told what happens, it says what follows.
///
/// Pure: the same inputs in the same worlds give the same outcomes, and an engine over the rows of another one goes on where
/// that one was. The core holds a list of engines and offers each input down the list; what they tell each other are signals,
/// and what they may know of each other are views of the world.
public protocol Engine: Sendable {
  /// The settings that it owns; nil for none.
  static var settings: (any NamedSettings.Type)? { get }

  /// The types of events that it alone makes and nobody else has to know, with what they tell; others stand in `Privacy`.
  static var events: [EventDeclaration] { get }

  /// The kinds of input that it may take; it is offered no others.
  static var hears: InputKinds { get }

  /// A value of the engine's as it knows it, where it came as JSON; nil for one of others.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue?

  /// An engine over what is stored.
  init(stored: StoredState, seed: UInt64, in world: World)

  /// When ``Input/time`` is due; nil when nothing is waited for.
  var nextWake: Tick? { get }

  /// Takes one input; nil where it is none of the engine's business, and then nothing changed.
  ///
  /// What was due before happens first.
  /// - Throws: why not; nothing changed then, and what must outlive it is in the refusal.
  mutating func handle(_ input: Input, in world: World) throws(CommandReply.Refusal) -> Outcome?

  /// What it has to see of others to take an input.
  func sees(for input: Input) -> World.Views

  /// Writes into a world what others may see of it.
  func show(_ view: World.View, in world: inout World)

  /// Whom a request concerns that names something of the engine's; nil where it knows no such thing.
  func resident(concernedBy request: Command.Request) -> ResidentID?

  /// Whom something that was seen concerns; nil where the engine does not know.
  func resident(concernedBy observation: Observation) -> ResidentID?

  /// Adds all that it holds to what is stored.
  func store(in state: inout StoredState)

  /// What it has to say of its own health, shown beside the parts of the gateway.
  var health: [HealthReport] { get }

  /// What a heartbeat says of it.
  mutating func heartbeatMembers(in world: World) -> [JSONMember]
}

extension Engine {
  /// None.
  public static var settings: (any NamedSettings.Type)? { nil }
  /// None.
  public static var events: [EventDeclaration] { [] }
  /// Whatever there is.
  public static var hears: InputKinds { .all }
  /// It has none that others do not know.
  public static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue? { nil }
  /// Nothing is waited for.
  public var nextWake: Tick? { nil }
  /// Nothing.
  public func sees(for input: Input) -> World.Views { [] }
  /// Nothing is shown.
  public func show(_ view: World.View, in world: inout World) {}
  /// Nobody.
  public func resident(concernedBy request: Command.Request) -> ResidentID? { nil }
  /// Nobody.
  public func resident(concernedBy observation: Observation) -> ResidentID? { nil }
  /// Nothing is judged.
  public var health: [HealthReport] { [] }
  /// Nothing.
  public mutating func heartbeatMembers(in world: World) -> [JSONMember] { [] }
}
