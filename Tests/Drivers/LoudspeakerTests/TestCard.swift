import Care
import Foundation
import Loop
import Loudspeaker
import Ports
import Synchronization
import TestSupport
import Testing

/// A sound card inside alsa-lib that hears, breaks and comes back as a test says; see `card.c`.
struct TestCard {
  private typealias SetCount = @convention(c) (UnsafePointer<CChar>, Int64) -> Void
  private typealias SetNumber = @convention(c) (UnsafePointer<CChar>, Int32) -> Void
  private typealias SetFact = @convention(c) (UnsafePointer<CChar>, Bool) -> Void
  private typealias GetCount = @convention(c) (UnsafePointer<CChar>) -> Int64

  /// The compiled plugin and the configuration that names it, once for the process.
  private final class Library: @unchecked Sendable {
    let directory: TemporaryDirectory
    let handle: UnsafeMutableRawPointer

    init() throws {
      directory = try TemporaryDirectory()
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let source = folder.appendingPathComponent("card.c").path
      let house = Checkout.path("hardware/rig/homeward_rig/house")
      let library = directory.path(of: "card.so")
      let compiler = try ChildProcess(
        "cc",
        [
          "-D_GNU_SOURCE", "-DPIC", "-shared", "-fPIC", "-O1", "-I\(house)", "-o", library, source,
          "-lasound",
        ],
        log: directory.path(of: "cc.log"))
      try #require(compiler.wait() == 0, "\(compiler.log)")
      let configuration = directory.path(of: "asound.conf")
      try Self.configuration(library).write(
        toFile: configuration, atomically: true, encoding: .utf8)
      setenv("ALSA_CONFIG_PATH", configuration, 1)
      handle = try #require(dlopen(library, RTLD_NOW))
    }

    private static func configuration(_ library: String) -> String {
      """
      # The usual devices as well: the rest of the process, and what it starts, sees this file, too.
      </usr/share/alsa/alsa.conf>
      pcm_type.homewardtest { lib "\(library)" }
      ctl_type.homewardtest { lib "\(library)" }
      pcm.card {
        @args [ NAME ]
        @args.NAME { type string }
        type homewardtest
        name $NAME
      }
      ctl.card {
        @args [ NAME ]
        @args.NAME { type string }
        type homewardtest
        name $NAME
      }
      pcm.recorder {
        @args [ FILE ]
        @args.FILE { type string }
        type plug
        slave.pcm {
          type file
          format raw
          file $FILE
          slave.pcm { type null }
        }
      }
      """
    }
  }

  private static let library = Result { try Library() }

  let name: String

  /// A new card, present, idle and hearing nothing yet.
  init(_ function: String = #function) throws {
    _ = try Self.library.get()
    name = String(function.prefix { $0 != "(" }.prefix(60))
  }

  /// Sees to it that the plugins' configuration is in force.
  static func prepare() throws { _ = try library.get() }

  private func find<Function>(_ symbol: String, as type: Function.Type) -> Function? {
    guard let handle = try? Self.library.get().handle, let found = dlsym(handle, symbol) else {
      return nil
    }
    return unsafeBitCast(found, to: type)
  }

  var device: String { "card:\(name)" }

  /// Hears so many frames more, as fast as they come; a minute of them unless said otherwise, for an endless sound would
  /// keep a card that hears at once busy for ever.
  func allow(_ frames: Int64 = 60 * 48_000) { find("card_allow", as: SetCount.self)?(name, frames) }
  func setGone(_ isGone: Bool) { find("card_set_gone", as: SetFact.self)?(name, isGone) }
  func setBusy(_ isBusy: Bool) { find("card_set_busy", as: SetFact.self)?(name, isBusy) }
  func trouble(_ error: Int32) { find("card_trouble", as: SetNumber.self)?(name, error) }
  func volumeTrouble(_ error: Int32) {
    find("card_volume_trouble", as: SetNumber.self)?(name, error)
  }

  var opened: Int { Int(find("card_opened", as: GetCount.self)?(name) ?? -1) }
  var written: Int { Int(find("card_written", as: GetCount.self)?(name) ?? -1) }

  /// What sounded so far, the left channel.
  var heard: [Float] {
    let count = find("card_heard", as: GetCount.self)?(name) ?? 0
    var frames = [Int16](repeating: 0, count: Int(count))
    typealias Copy =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int16>, Int64) ->
      Void
    find("card_copy", as: Copy.self)?(name, &frames, count)
    return frames.map { Float($0) / 32_767 }
  }

  /// The mixer's volume of 0...200, and whether it is unmuted.
  var mixer: [Int64] {
    var (volume, isOn): (Int64, Int64) = (-1, -1)
    typealias Read =
      @convention(c) (
        UnsafePointer<CChar>, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int64>
      ) -> Void
    find("card_mixer", as: Read.self)?(name, &volume, &isOn)
    return [volume, isOn]
  }
}

/// A speaker under test and everything that it says.
final class Room: Sendable {
  private let heardOf = Mutex<[Observation]>([])
  let speaker: ALSASpeaker

  init(
    _ device: String, selfTest: Bool = false, change: (inout ALSASpeakerOptions) -> Void = { _ in }
  )
    async throws
  {
    try TestCard.prepare()
    var options = ALSASpeakerOptions(device: device, playsSelfTest: selfTest)
    // A test may take its time between two looks at the card.
    options.hangMilliseconds = 600_000
    // A card that hears at once must not keep everything else from running.
    options.wantsRealtime = false
    change(&options)
    speaker = ALSASpeaker(options)
    await start()
  }

  @LoopActor private func start() {
    speaker.start { [self] observation in heardOf.withLock { $0.append(observation) } }
  }

  @LoopActor func play(_ request: SoundRequest) { speaker.play(request) }
  @LoopActor func stopSound(_ id: SoundID) { speaker.stopSound(id) }
  @LoopActor func stop() { speaker.stop() }

  var reports: [SoundReport] {
    heardOf.withLock { $0.compactMap { if case .sound(let report) = $0 { report } else { nil } } }
  }

  var health: [HealthReport] {
    heardOf.withLock { $0.compactMap { if case .health(let report) = $0 { report } else { nil } } }
  }

  /// Waits until the speaker has said this of a sound so many times.
  func hears(_ outcome: SoundReport.Outcome, _ id: SoundID, times: Int = 1) -> Bool {
    Eventually.holds(withinSeconds: 30) {
      reports.count { $0 == SoundReport(sound: id, outcome: outcome) } >= times
    }
  }

  func becomes(_ state: HealthState) -> Bool {
    Eventually.holds(withinSeconds: 30) { health.last?.state == state }
  }
}

extension SoundRequest {
  static func pattern(
    _ name: String, id: SoundID = "it", priority: SoundPriority = .reminder, repetitions: Int? = 1
  ) -> SoundRequest {
    SoundRequest(id: id, priority: priority, parts: [.pattern(name)], repetitions: repetitions)
  }
}
