import Bytes
import Care
import JSON
import Loop
import Moments
import Ports
import Texts

/// A loudspeaker that remembers what it was told.
@LoopActor
final class RecordingSpeaker: Speaker {
  private(set) var played: [SoundRequest] = []
  private(set) var stopped: [SoundID] = []
  func start(_ observer: @escaping @LoopActor (Observation) -> Void) {}
  func stop() {}
  func play(_ request: SoundRequest) { played.append(request) }
  func stopSound(_ id: SoundID) { stopped.append(id) }
}

/// A renderer that is as ready as the test says.
@LoopActor
final class ScriptedRenderer: SentenceRenderer {
  var files: [Sentence: String] = [:]
  private(set) var kept: [Sentence] = []
  private(set) var asked: [(sentence: Sentence, completion: @LoopActor (String?) -> Void)] = []

  func file(for sentence: Sentence) -> String? { files[sentence] }
  func render(_ sentence: Sentence, completion: @escaping @LoopActor (String?) -> Void) {
    asked.append((sentence, completion))
  }
  func keep(_ sentences: [Sentence]) { kept = sentences }
  private(set) var attempts = 0
  func tryAgain() { attempts += 1 }

  /// Renders, or with nil fails to render, all that was asked for.
  func finish(_ path: (Sentence) -> String?) {
    let waiting = asked
    asked = []
    for (sentence, completion) in waiting {
      files[sentence] = path(sentence)
      completion(files[sentence])
    }
  }
}

/// Plugins' services that answer what the test says.
@LoopActor
final class ScriptedServices: ServiceCaller {
  var answers: [String: Result<JSONValue, ServiceFailure>] = [:]
  private(set) var calls: [(name: String, params: JSONValue)] = []

  func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    calls.append((name, params))
    completion(
      answers[name]
        ?? .failure(ServiceFailure(isMissing: true, message: Message(verbatim: "nobody offers it")))
    )
  }
}

/// PINs whose hash is the PIN itself with a mark.
@LoopActor
final class ScriptedCredentials: CredentialKeeper {
  private var drawn: UInt8 = 0
  func hash(_ secrets: [String], completion: @escaping @LoopActor ([String]?) -> Void) {
    completion(secrets.map { "#\($0)" })
  }
  func check(
    _ guesses: [CredentialGuess], completion: @escaping @LoopActor ([Bool]?) -> Void
  ) { completion(guesses.map { $0.hash == "#\($0.secret)" }) }
  func randomBytes(_ count: Int) -> [UInt8] {
    drawn &+= 1
    return Array(repeating: drawn, count: count)
  }
  func mark(_ text: String, key: [UInt8]) -> [UInt8] { SHA256.hash(key + Array(text.utf8)) }
}

/// Pictures that are kept under the name that they come with.
@LoopActor
final class ScriptedPictures: PictureKeeper {
  private(set) var erased: [ResidentID] = []
  func keep(
    _ path: String, alarm: AlarmID, resident: ResidentID,
    completion: @escaping @LoopActor (Result<String, ServiceFailure>) -> Void
  ) { completion(.success("kept:\(path)")) }
  func read(
    _ path: String, offset: Int64, count: Int,
    completion: @escaping @LoopActor (Result<[UInt8], ServiceFailure>) -> Void
  ) { completion(.success(Array(path.utf8.dropFirst(Int(offset)).prefix(count)))) }
  func erase(_ resident: ResidentID) { erased.append(resident) }
}

/// Recordings that are whatever bytes come, named by how many they are.
@LoopActor
final class ScriptedRecordings: ContentKeeper {
  private(set) var files: [RecordingID: [UInt8]] = [:]
  private(set) var swept: Set<RecordingID>?
  private var begun: [UInt8] = []

  func add(
    _ piece: UploadPiece,
    completion:
      @escaping @LoopActor @Sendable (Result<UploadProgress<Recording>, ServiceFailure>)
      -> Void
  ) {
    begun = (piece.offset == 0 ? [] : begun) + piece.bytes
    guard piece.isLast else { return completion(.success(.received(Int64(begun.count)))) }
    let id = RecordingID("\(piece.resident)-\(begun.count)")
    files[id] = begun
    completion(
      .success(
        .stored(
          Recording(
            id: id, resident: piece.resident, bytes: Int64(begun.count), milliseconds: 1_600,
            keptAt: .seconds(0)))))
  }
  func read(
    _ content: Recording, offset: Int64, count: Int,
    completion: @escaping @LoopActor @Sendable (Result<[UInt8], ServiceFailure>) -> Void
  ) { completion(.success(Array((files[content.id] ?? []).dropFirst(Int(offset)).prefix(count)))) }
  func path(of content: Recording) -> String? { "/r/\(content.id).wav" }
  func remove(
    _ id: RecordingID, unless isWanted: @escaping @LoopActor @Sendable () -> Bool
  ) { if !isWanted() { files[id] = nil } }
  func sweep(keeping known: Set<RecordingID>) { swept = known }
}
