import Testing

@testable import Alarms

@Suite("The photograph of an alarm")
struct AlarmPhotoTests {
  /// What happens to it.
  enum Event: Sendable {
    case taken(String)
    case wantsTelling
  }

  @Test(
    "Each photograph is told once, and only the newest",
    arguments: [
      ([.wantsTelling], []),
      ([.taken("/1.jpg"), .wantsTelling, .wantsTelling], ["/1.jpg"]),
      ([.taken("/1.jpg"), .taken("/2.jpg"), .wantsTelling], ["/2.jpg"]),
      (
        [.taken("/1.jpg"), .wantsTelling, .taken("/1.jpg"), .wantsTelling, .wantsTelling],
        ["/1.jpg", "/1.jpg"]
      ),
    ] as [([Event], [String])])
  func told(events: [Event], paths: [String]) {
    var photo = AlarmPhoto()
    var told: [String] = []
    for event in events {
      switch event {
      case .taken(let path): photo.take(path)
      case .wantsTelling: if let path = photo.takeUntold() { told.append(path) }
      }
    }
    #expect(told == paths)
  }
}
