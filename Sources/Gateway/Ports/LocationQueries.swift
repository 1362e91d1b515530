public import Care
import Loop
public import Moments

/// Questions about where a resident was.
public protocol LocationQueries: Sendable {
  /// Location records (`isSeries` false) or the five-minute series (true) of a resident, newest first.
  func locations(
    resident: ResidentID, isSeries: Bool, since: Timestamp?, until: Timestamp?, limit: Int,
    completion: @escaping @LoopActor @Sendable (Result<[LocationRecord], StoreError>) -> Void)
}
