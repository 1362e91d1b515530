public import Bytes
public import JSON
public import Moments

/// What a hand did with a button.
public enum ButtonGesture: String, Hashable, Sendable, CaseIterable {
  /// The button went down; nothing follows from it but a light.
  case down
  /// A short press, once no second one followed in time.
  case press
  /// Two short presses.
  case double
  /// Three short presses.
  case triple
  /// Held for the hold time; told at that moment, not when it is let go.
  case hold
  /// Held so long that nobody can mean it: the button is stuck.
  case stuck
  /// A stuck button came loose.
  case loose
}

/// What a button saw.
public struct ButtonReport: Hashable, Sendable {
  /// The button's name in the configuration.
  public var button: SourceID
  /// What the hand did.
  public var gesture: ButtonGesture
  /// The kernel's time of the edge that completed the gesture.
  public var edge: Tick

  /// A report from its parts.
  public init(button: SourceID, gesture: ButtonGesture, edge: Tick) {
    self.button = button
    self.gesture = gesture
    self.edge = edge
  }
}

/// What a button's gesture brings about.
public enum ButtonCommand: String, Hashable, Sendable, CaseIterable {
  /// Raise an SOS for the resident.
  case sos
  /// Start a fake call.
  case fakeCall = "fake-call"
  /// Silence what sounds, answer what asks, or say the time and what comes next.
  case assist
  /// The caregiver whose button it is takes charge of the open alarm.
  case acknowledge
  /// Show the resident the way home, or say once more what to do.
  case takeHome = "take-home"
  /// Take a photograph for the guardians.
  case photograph
  /// Nothing.
  case none
}

/// Whose button it is and what its gestures bring about.
public struct ButtonBinding: Hashable, Sendable {
  /// The button's name in the configuration.
  public var button: SourceID
  /// The resident whom the button is for; nil for the only one.
  public var resident: ResidentID?
  /// The caregiver whose button it is; nil for a resident's own.
  public var caregiver: GuardianID?
  /// What a press, a double and a triple press bring about. A hold is an SOS, always and everywhere.
  public var press: ButtonCommand
  /// What two presses bring about.
  public var double: ButtonCommand
  /// What three presses bring about.
  public var triple: ButtonCommand

  /// A binding; by default press assists, double starts a fake call, triple takes a photograph.
  public init(
    button: SourceID, resident: ResidentID? = nil, caregiver: GuardianID? = nil,
    press: ButtonCommand = .assist, double: ButtonCommand = .fakeCall,
    triple: ButtonCommand = .photograph
  ) {
    self.button = button
    self.resident = resident
    self.caregiver = caregiver
    self.press = press
    self.double = double
    self.triple = triple
  }
}

extension ButtonBinding: JSONCodable {
  /// Reads a binding as recorded with a run.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      button: SourceID(try reader.string("button")),
      resident: try reader.optionalString("resident").map { ResidentID($0) },
      caregiver: try reader.optionalString("caregiver").map { GuardianID($0) },
      press: try reader.word("press", as: ButtonCommand.self),
      double: try reader.word("double", as: ButtonCommand.self),
      triple: try reader.word("triple", as: ButtonCommand.self))
  }

  /// The binding as an object.
  public var json: JSONValue {
    .object([
      "button": .string(button.rawValue), "resident": resident.map { .string($0.rawValue) },
      "caregiver": caregiver.map { .string($0.rawValue) }, "press": .string(press.rawValue),
      "double": .string(double.rawValue), "triple": .string(triple.rawValue),
    ])
  }
}

/// What the lamp shows, from a pressed button to a person who comes.
public enum LampSignal: String, Hashable, Sendable, CaseIterable {
  /// Nothing to show.
  case off
  /// The button is down.
  case pressed
  /// The alarm is stored.
  case stored
  /// A transport took a message.
  case sent
  /// A message reached somebody.
  case delivered
  /// Somebody took charge.
  case acknowledged
  /// Nobody could be reached.
  case failed
}

/// A photograph that was asked for.
public struct PhotoReport: Hashable, Sendable {
  /// The alarm it was taken for.
  public var alarm: AlarmID
  /// Absolute path of the JPEG file; nil when none could be taken.
  public var path: String?
  /// Why there is none, in a plain sentence.
  public var detail: String

  /// A report from its parts.
  public init(alarm: AlarmID, path: String?, detail: String = "") {
    self.alarm = alarm
    self.path = path
    self.detail = detail
  }
}

extension ButtonReport: JSONCodable {
  /// Reads a report.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      button: SourceID(try reader.string("button")),
      gesture: try reader.word("gesture", as: ButtonGesture.self),
      edge: Tick(nanoseconds: try reader.integer("edge")))
  }

  /// The report as an object; `edge` in nanoseconds since boot.
  public var json: JSONValue {
    [
      "button": .string(button.rawValue), "gesture": .string(gesture.rawValue),
      "edge": .integer(edge.nanoseconds),
    ]
  }
}

extension PhotoReport: JSONCodable {
  /// Reads a report.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      alarm: AlarmID(try reader.string("alarm")), path: try reader.optionalString("path"),
      detail: try reader.optionalString("detail") ?? "")
  }

  /// The report as an object.
  public var json: JSONValue {
    .object([
      "alarm": .string(alarm.rawValue), "path": path.map { .string($0) },
      "detail": .string(detail),
    ])
  }
}
