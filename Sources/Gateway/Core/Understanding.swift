public import Bytes
public import Care

/// What comes as JSON is read by the feature that knows it before anything follows from it, so that what does not fit is
/// refused where it comes in, and what is kept of it is written as the feature writes it.
extension GatewayCore {
  /// A command as the features know it.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  public static func understood(_ command: Command) throws(DecodeError) -> Command {
    var command = command
    if case .feature(let request) = command.request {
      let content = try EngineList.understood(
        request.content, at: .request(action: request.action))
      command.request = .feature(request.with(content))
    }
    if let reading = command.storedFeature {
      command.stored = .reading(try EngineList.understood(reading, at: .reading))
    }
    return command
  }

  /// An observation as the features know it.
  static func understood(_ observation: Observation) throws(DecodeError) -> Observation {
    switch observation {
    case .meter(let report): .meter(try EngineList.understood(report, at: .meter))
    case .map(let report): .map(try EngineList.understood(report, at: .map))
    default: observation
    }
  }

  /// What a run starts from, as the features know it.
  static func understood(_ stored: StoredState) throws(DecodeError) -> StoredState {
    var stored = stored
    var readings: [FeatureValue] = []
    for reading in stored.glucoseReadings {
      readings.append(try EngineList.understood(reading, at: .reading))
    }
    stored.glucoseReadings = readings
    return stored
  }
}

extension EngineList {
  /// A value as the engine knows it whose it is.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit; the action where no engine knows it.
  static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue {
    for type in types {
      if let understood = try type.understood(value, at: place) { return understood }
    }
    throw DecodeError(.unknownWord, at: 0, field: "action")
  }
}
