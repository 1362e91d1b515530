public import Bytes
public import Care
public import JSON

/// What became of a question to the map.
public struct MapReport: Hashable, Sendable {
  /// Why there is no way.
  public enum Failure: String, Hashable, Sendable, CaseIterable {
    /// Both places are known, and nothing leads from one to the other on foot.
    case noWay = "no-way"
    /// There are no streets near one of the places.
    case noStreets = "no-streets"
    /// Nobody there can find ways.
    case noService = "no-service"
    /// Whoever looks for ways failed, was too slow, or answered nonsense.
    case failed
  }

  /// What became of it.
  public enum Outcome: Hashable, Sendable {
    /// A way.
    case found(WalkingRoute)
    /// An address on one line; empty where the map has none there.
    case address(String)
    /// No way.
    case missing(Failure)
  }

  /// The question, as in ``MapQuery/id``.
  public var query: String
  /// For whom.
  public var resident: ResidentID
  /// What became of it.
  public var outcome: Outcome

  /// A report from its parts.
  public init(query: String, resident: ResidentID, outcome: Outcome) {
    self.query = query
    self.resident = resident
    self.outcome = outcome
  }
}

extension MapReport: JSONCodable {
  /// Reads `{"query", "resident"}` with `"route": {…}`, `"place": {"address": …}` or null, or `"failure": word`.
  ///
  /// A way that cannot be made sense of is a failure of whoever found it, and no fault of the report.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    query = try reader.string("query")
    resident = ResidentID(try reader.string("resident"))
    if let word = try reader.optionalString("failure") {
      outcome = .missing(Failure(rawValue: word) ?? .failed)
    } else if let json = reader.optional("route"), let route = try? WalkingRoute(json: json) {
      outcome = .found(route)
    } else if let place = json["place"] {
      outcome = .address(place["address"]?.stringContent ?? "")
    } else {
      outcome = .missing(.failed)
    }
  }

  /// The report as an object.
  public var json: JSONValue {
    let report: JSONValue = ["query": .string(query), "resident": .string(resident.rawValue)]
    return switch outcome {
    case .found(let route): report.setting("route", to: route.json)
    case .address(let text): report.setting("place", to: ["address": .string(text)])
    case .missing(let failure): report.setting("failure", to: .string(failure.rawValue))
    }
  }
}
