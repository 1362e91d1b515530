import Care
import JSON

extension Route {
  /// Glucose readings, the newest first: `{resident, since?, until?, limit?, cursor?}`; at most 100 without a limit,
  /// 10,000 with one.
  ///
  /// - Result: `[glucose reading]`.
  public static let glucoseQuery = Route(
    "glucose.query", [.text("resident")] + .period, needs: [.health], of: .resident,
    gives: .list(CommandRule.glucoseReading))
  /// One glucose reading: `{id}`.
  ///
  /// - Result: `glucose reading`; error 1001, kind `unknown-target`, when there is none.
  public static let glucoseGet = Route(
    "glucose.get", [.text("id")], needs: [.health], of: .found,
    gives: CommandRule.glucoseReading)

  static let glucoseRoutes: [Route] = [.glucoseQuery, .glucoseGet]
}
