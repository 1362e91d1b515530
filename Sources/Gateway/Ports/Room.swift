public import Care
public import JSON
public import Loop
public import Texts

/// What sounds in the room: patterns, files and silence, one after the other, the most urgent first.
///
/// Nothing here blocks the loop; one thread of the speaker's own has the device. Parts of kind `speech`, `clock` and
/// `recording` are none of the speaker's business: whoever calls has turned them into files.
@LoopActor
public protocol Speaker: AnyObject {
  /// Starts; health of the component `sound` and what becomes of sounds go to `observer`, on the loop, until ``stop()``.
  func start(_ observer: @escaping @LoopActor (Observation) -> Void)
  /// Falls silent and lets go of the device.
  func stop()
  /// Sounds something, or lines it up behind what goes before it. A sound of the same id is replaced.
  func play(_ request: SoundRequest)
  /// Ends a sound, whether it sounds or waits.
  func stopSound(_ id: SoundID)
}

/// A lamp that shows how far an alarm has come.
@LoopActor
public protocol Lamp: AnyObject {
  /// Starts; health of the component `lamp` goes to `observer`.
  func start(_ observer: @escaping @LoopActor (Observation) -> Void)
  /// Puts the lamp out and lets go of it.
  func stop()
  /// Shows a signal until the next one.
  func show(_ signal: LampSignal)
}

/// Turns sentences into WAV files and keeps them, so that what is needed in an emergency is there beforehand.
@LoopActor
public protocol SentenceRenderer: AnyObject {
  /// The file of a sentence that was rendered before; nil when there is none.
  func file(for sentence: Sentence) -> String?
  /// Renders a sentence unless it is there; `completion` gets the file, or nil when nobody can speak now.
  func render(_ sentence: Sentence, completion: @escaping @LoopActor (String?) -> Void)
  /// Renders these sentences in the background, keeps them, and tries again when the plugin comes back.
  func keep(_ sentences: [Sentence])
  /// Tries at once what is kept and lacks: whoever can speak may be there now.
  func tryAgain()
}

/// Calls the services of plugins.
@LoopActor
public protocol ServiceCaller: AnyObject {
  /// Calls a service; `completion` is called once, with the answer or with a plain sentence of what went wrong.
  func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void)
}

/// Why a service did not answer as wished.
public struct ServiceFailure: Error, Hashable, Sendable {
  /// Whether no plugin offers the service at all.
  public var isMissing: Bool
  /// One plain sentence.
  public var message: Message

  /// A failure from its parts.
  public init(isMissing: Bool, message: Message) {
    self.isMissing = isMissing
    self.message = message
  }
}

/// Makes and checks the salted hashes of PINs, passwords and answers; slow on purpose, and never on the loop.
@LoopActor
public protocol CredentialKeeper: AnyObject {
  /// The salted hashes of secrets, in their order; nil when they cannot be made now.
  func hash(_ secrets: [String], completion: @escaping @LoopActor ([String]?) -> Void)
  /// Which of some guesses are right, in their order; nil when they cannot be looked at now.
  func check(_ guesses: [CredentialGuess], completion: @escaping @LoopActor ([Bool]?) -> Void)
  /// Random bytes that nobody can guess.
  func randomBytes(_ count: Int) -> [UInt8]
  /// The keyed hash of a text, 32 bytes, which nobody makes without the key, of 32 bytes as well.
  func mark(_ text: String, key: [UInt8]) -> [UInt8]
}

/// A secret that somebody says, and the hash of the one that is right.
public struct CredentialGuess: Hashable, Sendable {
  /// What was said.
  public var secret: String
  /// The salted hash that it is compared with.
  public var hash: String

  /// A guess from its parts.
  public init(_ secret: String, hash: String) {
    self.secret = secret
    self.hash = hash
  }
}

extension CredentialKeeper {
  /// What an entered PIN is worth. Both hashes are computed always, so that time tells nothing about the verdict.
  public func judge(
    _ pin: String, okay: String?, duress: String?,
    completion: @escaping @LoopActor (PINVerdict) -> Void
  ) {
    guard let one = okay ?? duress, let other = duress ?? okay else { return completion(.notSet) }
    check([CredentialGuess(pin, hash: one), CredentialGuess(pin, hash: other)]) { right in
      let isOkay = okay != nil && right?.first == true
      let isDuress = duress != nil && right?.last == true
      completion(isOkay ? .correct : isDuress ? .duress : .wrong)
    }
  }
}

/// Keeps the photographs of alarms.
@LoopActor
public protocol PictureKeeper: AnyObject {
  /// Copies a JPEG file that a plugin took; `completion` gets the copy's absolute path, or a plain sentence of what is wrong.
  func keep(
    _ path: String, alarm: AlarmID, resident: ResidentID,
    completion: @escaping @LoopActor (Result<String, ServiceFailure>) -> Void)
  /// Reads so many bytes of a photograph, by the path of its copy, from an offset on, fewer at its end.
  func read(
    _ path: String, offset: Int64, count: Int,
    completion: @escaping @LoopActor (Result<[UInt8], ServiceFailure>) -> Void)
  /// Removes every photograph of a resident.
  func erase(_ resident: ResidentID)
}

/// One piece of a file that is being brought: of a picture, or of a recording.
public struct UploadPiece: Hashable, Sendable {
  /// The resident for whom it is.
  public var resident: ResidentID
  /// Names the upload, chosen by who brings it; lower-case letters, digits and hyphens.
  public var upload: String
  /// Where the piece begins in the file, in bytes.
  public var offset: Int64
  /// The piece.
  public var bytes: [UInt8]
  /// Whether the file ends with it.
  public var isLast: Bool
  /// Whether the position in a picture is to stay.
  public var keepsPosition: Bool

  /// A piece from its parts.
  public init(
    resident: ResidentID, upload: String, offset: Int64, bytes: [UInt8], isLast: Bool,
    keepsPosition: Bool = false
  ) {
    self.resident = resident
    self.upload = upload
    self.offset = offset
    self.bytes = bytes
    self.isLast = isLast
    self.keepsPosition = keepsPosition
  }
}

/// How far the bringing of a file has come.
public enum UploadProgress<Content: Hashable & Sendable>: Hashable, Sendable {
  /// So many bytes are here.
  case received(Int64)
  /// The file was checked and is safe on the disk.
  case stored(Content)
}

/// Keeps files that people bring, each once, by a digest of its content: the pictures of notes, and recordings.
@LoopActor
public protocol ContentKeeper<Content>: AnyObject {
  /// What is known of such a file.
  associatedtype Content: Hashable & Sendable
  /// Takes one piece; `completion` comes when it is on the disk, or with a plain sentence of what is wrong. The first piece
  /// of an upload begins at 0 and starts it anew.
  func add(
    _ piece: UploadPiece,
    completion:
      @escaping @LoopActor @Sendable (Result<UploadProgress<Content>, ServiceFailure>) ->
      Void)
  /// Reads so many bytes of a file from an offset on, fewer at its end.
  func read(
    _ content: Content, offset: Int64, count: Int,
    completion: @escaping @LoopActor @Sendable (Result<[UInt8], ServiceFailure>) -> Void)
  /// The absolute path of a file; nil where it has no usable name.
  func path(of content: Content) -> String?
  /// Removes a file unless `isWanted` says, just before, that it came back.
  func remove(
    _ id: Identifier<Content>, unless isWanted: @escaping @LoopActor @Sendable () -> Bool)
  /// Removes what an interruption left: files that nobody knows, and unfinished uploads.
  func sweep(keeping known: Set<Identifier<Content>>)
}
