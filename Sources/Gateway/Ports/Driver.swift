public import Care
public import Configuration
public import JSON
public import Loop
public import Texts

/// A driver as the daemon lists it: its section of the configuration, and what it makes of it.
///
/// The section has its words and its documentation; a driver that needs none has ``NoSection``.
@LoopActor
public protocol Driver: SendableMetatype {
  /// Its section.
  associatedtype Section: ConfigurationPart = NoSection
  /// Adds what the section asks for to the devices, behind those of the drivers that are listed before it.
  static func add(_ section: Section, to devices: inout Devices, in surroundings: Surroundings)
}

extension Driver {
  /// Adds what its section of a configuration asks for.
  public static func add(
    from configuration: GatewayConfiguration, to devices: inout Devices,
    in surroundings: Surroundings
  ) { add(configuration[Section.self], to: &devices, in: surroundings) }

  /// Its section; nil where it has none.
  public nonisolated static var section: (any ConfigurationPart.Type)? {
    Section.self == NoSection.self ? nil : Section.self
  }
}

/// The section of a driver that nothing has to be told: its devices are there, or they are not.
public struct NoSection: ConfigurationPart {
  /// Nothing.
  public init() {}
  /// Its keys.
  public static let field = ConfigurationField<Self>.group("", [])
  /// The section of the documented file.
  public static let documentation = ""
}

/// What the gateway gives to its drivers.
@LoopActor
public struct Surroundings {
  /// Both clocks.
  public var clock: any GatewayClock
  /// The language of what is shown of devices.
  public var language: Language
  /// Takes what is observed by what is no ``ObservationSource``.
  public var observe: @LoopActor (Observation) -> Void
  /// Called with a line for the log; never holds names, positions or health values.
  public var log: @LoopActor @Sendable (Message) -> Void
  /// What a driver kept under a name before the gateway ended.
  public var kept: @LoopActor (_ name: String) -> JSONValue?
  /// Keeps an object of a driver's under a name, across power cuts and in backups.
  public var keep: @LoopActor @Sendable (_ name: String, _ content: JSONValue) -> Void

  /// Surroundings from their parts.
  public init(
    clock: any GatewayClock, language: Language = .en,
    observe: @escaping @LoopActor (Observation) -> Void = { _ in },
    log: @escaping @LoopActor @Sendable (Message) -> Void = { _ in },
    kept: @escaping @LoopActor (String) -> JSONValue? = { _ in nil },
    keep: @escaping @LoopActor @Sendable (String, JSONValue) -> Void = { _, _ in }
  ) {
    self.clock = clock
    self.language = language
    self.observe = observe
    self.log = log
    self.kept = kept
    self.keep = keep
  }
}
