import Care
import Guidance
import JSON
import Testing

@Suite("Guidance through a power cut, and without a voice")
struct PowerAndVoiceTests {
  @Test("A power cut in the middle: the way goes on from there, with the words that are due")
  func restart() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(120, 0)
    mary.walk(60, 90)
    mary.forget()
    mary.restart()
    mary.walk(15, 90)
    #expect(
      mary.heard.first == "I am here again. We go on. Good. Now straight on along Market Street.")
    #expect(mary.queries.count == 1, "the way was kept")
    mary.walk(75, 90)
    mary.walk(100, 0)
    #expect(mary.told(.guidanceArrived).count == 1)
    #expect(!mary.heard.contains("Now turn right into Market Street."))
  }

  @Test("A power cut at the beginning: how the way begins is said with the first words, and once")
  func restartAtTheBeginning() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(20, 0)
    mary.forget()
    mary.restart()
    mary.walk(15, 0)
    #expect(mary.heard == ["I am here again. We go on. Go along Mill Lane, towards the north."])
  }

  @Test(
    "The voice is back later than the hub: what could not be said is said then")
  func voiceComesLater() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(120, 0)
    mary.walk(30, 90)
    mary.forget()
    mary.hasVoice = false
    mary.restart()
    mary.wait(25)
    #expect(mary.heard.isEmpty)
    let said = mary.told(.guidanceSaid).count
    mary.hasVoice = true
    mary.wait(10)
    #expect(mary.heard == ["I am here again. We go on. Good. Now straight on along Market Street."])
    #expect(mary.told(.guidanceSaid).count == said, "told once")
    mary.wait(30)
    #expect(mary.heard.count == 1 && mary.findings.isEmpty)
  }

  @Test(
    "Without a voice after a power cut at the beginning: how the way begins is said once it is back"
  )
  func voiceComesLaterAtTheBeginning() {
    let mary = Traveller.onTheWay()
    mary.ask(.start(Traveller.mary, to: .home, asks: false))
    mary.walk(20, 0)
    mary.forget()
    mary.hasVoice = false
    mary.restart()
    mary.wait(4)
    mary.hasVoice = true
    mary.wait(20)
    #expect(mary.heard == ["I am here again. We go on. Go along Mill Lane, towards the north."])
  }

  @Test("Whoever walked on meanwhile hears what is to be done now, and not what is past")
  func unheardTurn() {
    let mary = Traveller.onTheWay()
    mary.hasVoice = false
    #expect(mary.press(.command(.takeHome)))
    mary.walk(30, 0)
    mary.walk(90, 0)
    mary.hasVoice = true
    mary.walk(20, 90)
    #expect(mary.heard.first == "Good. Now straight on along Market Street.")
  }

  @Test("A minute without a voice: those who care are told that she hears nothing, until she does")
  func noVoice() {
    let mary = Traveller.onTheWay()
    mary.hasVoice = false
    #expect(mary.press(.command(.takeHome)))
    mary.walk(58, 0)
    #expect(mary.findings.isEmpty)
    mary.walk(30, 0)
    #expect(
      mary.findings.map(\.explanation) == [
        "Mary is on the way (home) and cannot hear what I say: my voice fails."
      ])
    #expect(mary.journey["trouble"] == "unheard")
    mary.wait(30, isSeen: false)
    #expect(mary.findings.count == 1, "once, also where no position comes")
    mary.hasVoice = true
    mary.wait(21)
    #expect(mary.heard.count == 1 && mary.settlements.map(\.reason) == [.goesOn])
    #expect(mary.journey["trouble"] == nil)
  }
}
