public import Care
import Notebook

/// What the parts outside of the core may know of messages, pictures and recordings.
public struct NotebookView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// Messages that nobody has read, oldest first; of one resident, or of all when nil.
  public func unreadMessages(of resident: ResidentID?) -> [ChatMessage] {
    engines[NotebookEngine.self].unreadMessages.filter {
      resident == nil || $0.resident == resident
    }
  }

  /// A picture that is stored, by its name; nil when it is not.
  public func picture(_ id: PictureID) -> Picture? { engines[NotebookEngine.self].picture(id) }

  /// A recording by its name; nil when it is not stored, or not any more.
  public func recording(_ id: RecordingID) -> Recording? {
    engines[NotebookEngine.self].recording(id)
  }

  /// All recordings that are stored, by id.
  public var recordings: [Recording] { engines[NotebookEngine.self].storedRecordings }

  /// All pictures that are stored, by id.
  public var pictures: [Picture] { engines[NotebookEngine.self].storedPictures }
}
