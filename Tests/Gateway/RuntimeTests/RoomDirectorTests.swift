import Care
import Loop
import LoopTestSupport
import Ports
import Testing

@testable import Runtime

@Suite("The director of the room's sound") @LoopActor
struct RoomDirectorTests {
  private final class Heard {
    var reports: [SoundReport] = []
    var buzzer: [Bool] = []
  }

  private let speaker = RecordingSpeaker()
  private let renderer = ScriptedRenderer()
  private let heard = Heard()
  private let help = Sentence("Help is being called.", language: "en")
  private let clock = Sentence("It is three fifteen.", language: "en")

  private func director(hasSpeaker: Bool = true, hasRenderer: Bool = true) -> RoomDirector {
    RoomDirector(
      RoomDirector.Links(
        speaker: hasSpeaker ? speaker : nil, renderer: hasRenderer ? renderer : nil,
        buzzer: { [heard] in heard.buzzer.append($0) },
        clockSentence: { [clock] zone, _ in zone == "Europe/Oslo" ? clock : nil },
        observer: { [heard] in if case .sound(let report) = $0 { heard.reports.append(report) } }))
  }

  private func alarm(_ parts: [SoundPart]) -> SoundRequest {
    SoundRequest(
      id: "alarm-1", priority: .emergency, parts: parts, repetitions: nil,
      levelsDecibels: [-18, -12, -6, 0])
  }

  /// Until what was posted to the loop has run.
  private func settle() async {
    await withLoopContinuation { continuation in
      EventLoop.current.post { continuation.resume() }
    }
  }

  @Test("A sentence that was rendered beforehand sounds with the first note")
  func ready() {
    renderer.files[help] = "/s/help.wav"
    director().play(alarm([.pattern("sos"), .speech(help)]))
    #expect(speaker.played.map(\.parts) == [[.pattern("sos"), .file("/s/help.wav")]])
    #expect(renderer.asked.isEmpty)
  }

  @Test("An alarm sounds at once without the sentence that is not ready, and goes on with it")
  func urgent() {
    let director = director()
    director.play(alarm([.pattern("sos"), .speech(help)]))
    #expect(speaker.played.map(\.parts) == [[.pattern("sos")]])
    renderer.finish { _ in "/s/help.wav" }
    #expect(speaker.played.last?.parts == [.pattern("sos"), .file("/s/help.wav")])
    #expect(speaker.played.last?.id == "alarm-1")
  }

  @Test("A speech plugin that is dead mutes no alarm, and the alarm does not begin again")
  func deadPlugin() {
    let director = director()
    director.play(alarm([.pattern("sos"), .speech(help)]))
    renderer.finish { _ in nil }
    #expect(speaker.played.map(\.parts) == [[.pattern("sos")]])
    #expect(heard.reports.isEmpty)
  }

  @Test(
    "With some sentences ready, an alarm begins with these and is not begun anew for one that never comes"
  )
  func partly() {
    renderer.files[help] = "/s/help.wav"
    let director = director()
    director.play(alarm([.pattern("sos"), .speech(help), .speech(clock)]))
    #expect(speaker.played.map(\.parts) == [[.pattern("sos"), .file("/s/help.wav")]])
    renderer.finish { _ in nil }
    #expect(speaker.played.count == 1)
  }

  @Test("A reminder waits for its sentence")
  func reminder() {
    let director = director()
    director.play(
      SoundRequest(id: "r", priority: .reminder, parts: [.pattern("reminder"), .speech(help)]))
    #expect(speaker.played.isEmpty)
    renderer.finish { _ in "/s/help.wav" }
    #expect(speaker.played.map(\.parts) == [[.pattern("reminder"), .file("/s/help.wav")]])
  }

  @Test("What was stopped or replaced while its sentence was rendered does not sound any more")
  func overtaken() {
    let director = director()
    director.play(SoundRequest(id: "r", priority: .reminder, parts: [.speech(help)]))
    director.stop("r")
    renderer.finish { _ in "/s/help.wav" }
    #expect(speaker.played.isEmpty && speaker.stopped == ["r"])
    director.play(SoundRequest(id: "q", priority: .reminder, parts: [.speech(clock)]))
    director.play(SoundRequest(id: "q", priority: .reminder, parts: [.pattern("chime")]))
    renderer.finish { _ in "/s/clock.wav" }
    #expect(speaker.played.map(\.parts) == [[.pattern("chime")]])
  }

  @Test("Nothing but a sentence that nobody can speak is told as failed")
  func onlySpeech() async {
    director(hasRenderer: false).play(
      SoundRequest(id: "r", priority: .reminder, parts: [.speech(help)]))
    await settle()
    #expect(heard.reports == [SoundReport(sound: "r", outcome: .failed)])
  }

  @Test(
    "A sound goes without the words that nobody can speak, and that is told; not of an alarm"
  )
  func wordless() async {
    let director = director(hasRenderer: false)
    director.play(
      SoundRequest(id: "r", priority: .reminder, parts: [.pattern("chime"), .speech(help)]))
    director.play(alarm([.pattern("sos"), .speech(help)]))
    #expect(speaker.played.map(\.parts) == [[.pattern("chime")], [.pattern("sos")]])
    await settle()
    #expect(heard.reports == [SoundReport(sound: "r", outcome: .wordless)])
  }

  @Test("The time of day is spoken, or chimes where nobody knows the zone")
  func timeOfDay() {
    renderer.files[clock] = "/s/clock.wav"
    let director = director()
    for zone in ["Europe/Oslo", "Nowhere/Land"] {
      director.play(
        SoundRequest(id: "c", priority: .chime, parts: [.clock(timeZone: zone, language: "en")]))
    }
    #expect(speaker.played.map(\.parts) == [[.file("/s/clock.wav")], [.pattern("chime")]])
  }

  @Test("Without a loudspeaker an alarm is left to the buzzer until it is stopped")
  func buzzer() async {
    let director = director(hasSpeaker: false)
    director.play(alarm([.pattern("sos")]))
    director.play(SoundRequest(id: "r", priority: .reminder, parts: [.pattern("reminder")]))
    await settle()
    #expect(heard.reports.map(\.outcome) == [.failed, .failed])
    for report in heard.reports { director.note(report) }
    #expect(heard.buzzer == [true])
    director.stop("alarm-1")
    #expect(heard.buzzer == [true, false])
  }

  @Test("A loudspeaker that comes back takes over from the buzzer")
  func recovery() {
    let director = director()
    director.play(alarm([.pattern("sos")]))
    director.note(SoundReport(sound: "alarm-1", outcome: .failed))
    director.note(SoundReport(sound: "alarm-1", outcome: .started))
    #expect(heard.buzzer == [true, false])
  }
}
