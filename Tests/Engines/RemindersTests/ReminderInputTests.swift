import Care
import JSON
import Moments
import Reminders
import Testing
import Texts

/// What reminders are told of, and what they tell.
@Suite("Reminders among other engines")
struct ReminderInputTests {
  private static let working = Signal.health(
    HealthReport(component: "routine/zone", state: .working), isCertain: false)

  /// Ada's tablet was asked for at 08:00 and has not been answered.
  private func asking() throws -> Home {
    var home = Home()
    try home.add(Home.pill())
    home.pass(until: "2026-03-02T08:00")
    return home
  }

  // MARK: Presses

  @Test("An alarm that sounds and a call go first, and a caregiver's button is for other things")
  func pressesForOthers() throws {
    var home = try asking()
    home.isAlarmSounding = true
    home.expectNoPress()
    home.isAlarmSounding = false
    home.isCallOn = true
    home.expectNoPress()
    home.isCallOn = false
    home.house.buttons = [ButtonBinding(button: "wired", caregiver: "anna")]
    home.expectNoPress()
    home.house.buttons = []
    home.expectPress()
    #expect(home.state("pill", "2026-03-02T08:00") == .done)
    #expect(home.occurrence("pill", "2026-03-02T08:00")?.by == "button/wired")
  }

  @Test("Only yes and no answer", arguments: ButtonGesture.allCases)
  func otherMeanings(_ gesture: ButtonGesture) throws {
    var home = try asking()
    let report = ButtonReport(button: "wired", gesture: gesture, edge: home.now.tick)
    for press in Press.meanings(of: report, in: home.house) {
      let isAnswer = press.meaning == .yes || press.meaning == .no
      let views = home.engine.sees(for: .pressed(press))
      #expect(views == (isAnswer ? [.need, .call, .sound] : []), "\(press.meaning)")
      if !isAnswer { #expect(home.hear(.pressed(press)) == nil, "\(press.meaning)") }
    }
    home.expectPress()
  }

  @Test("Where nothing was said no press is taken, and nobody else's state is asked for")
  func nothingAsks() throws {
    var home = Home()
    try home.add(Home.pill())
    let press = try #require(Home.press(isDone: true, in: home.house))
    #expect(home.engine.sees(for: .pressed(press)) == [])
    home.expectNoPress()
  }

  @Test("A press as the next due time comes answers nothing, and what was due is told all the same")
  func pressInTheSameStep() throws {
    var home = Home()
    try home.add(Home.pill(schedule: Home.daily("08:00", "08:01")))
    home.pass(until: "2026-03-02T08:00")
    home.forgetStory()
    home.now = home.now.advanced(byMilliseconds: 60_000)
    home.expectNoPress()
    #expect(home.story.isEmpty)
    home.tell(.time)
    #expect(home.events(.reminderMissed).count == 1 && home.events(.reminderDue).count == 1)
  }

  // MARK: The room

  @Test("A reminder that nobody can hear says so")
  func unheard() throws {
    var home = Home()
    try home.add(Home.pill())
    home.silence = Message(verbatim: "The loudspeaker is gone.")
    home.pass(until: "2026-03-02T08:00")
    let first = try #require(home.events(.reminderPrompted).first)
    #expect(first.facts["isSilent"] == true)
    #expect(
      first.facts["explanation"]
        == "blood pressure pill is due, but nothing can be heard in the room: remind Ada yourself.")
    home.silence = nil
    home.pass(until: "2026-03-02T08:10")
    let second = try #require(home.events(.reminderPrompted).last)
    #expect(second.facts["prompts"] == 2 && second.facts["isSilent"] == false)
    #expect(
      second.facts["explanation"]?.stringContent?.hasPrefix(
        "Ada is reminded of blood pressure pill")
        == true)
  }

  // MARK: Requests

  @Test("A refused request changes nothing: what was due is told when its time is called")
  func refused() throws {
    var home = Home()
    try home.add(Home.pill())
    home.now = home.now.advanced(byMilliseconds: 3_600_000)
    #expect(throws: CommandReply.Refusal.self) {
      try home.ask(.remove("nothing", revision: nil))
    }
    #expect(home.events(.reminderDue).isEmpty)
    home.tell(.time)
    #expect(home.events(.reminderDue).count == 1)
  }

  @Test("Whom a request concerns")
  func concerned() throws {
    let home = try asking()
    func resident(_ request: RoutineRequest) -> ResidentID? {
      home.engine.resident(concernedBy: .routine(request))
    }
    #expect(resident(.put(Home.pill("new"), revision: nil)) == "ada")
    #expect(resident(.remove("pill", revision: nil)) == "ada")
    #expect(resident(.setOn("pill", false)) == "ada")
    #expect(resident(.answer("pill", slot: nil, .done)) == "ada")
    #expect(resident(.restock("pill", units: 3)) == "ada")
    #expect(resident(.restock("nothing", units: 3)) == nil)
    #expect(resident(.replace(resident: "ben", source: "x", items: [])) == "ben")
    #expect(resident(.answerZone(resident: "ben", .keep)) == "ben")
    #expect(home.engine.resident(concernedBy: .locate(resident: "ada")) == nil)
  }

  // MARK: Planned absences

  @Test("What falls into a planned absence is added to the answer, by the clock on her wall")
  func planned() throws {
    var home = Home()
    try home.add(Home.pill(schedule: Home.daily("08:00", "12:00")))
    try home.add(Home.pill("late", schedule: Home.daily("18:00")))
    let times = ["02", "03"].map {
      Home.local("2026-03-\($0)T07:30")...Home.local("2026-03-\($0)T13:00")
    }
    let answer = home.hear(.signalled(.planned("ada", times)))
    let outcome = try #require(answer)
    #expect(outcome.events.isEmpty && outcome.changes.isEmpty && outcome.signals.isEmpty)
    #expect(
      outcome.reply == [
        "routine": [
          [
            "item": "pill", "title": "blood pressure pill", "kind": "medicine",
            "times": ["08:00", "12:00"],
          ]
        ]
      ])
    for signal in [Signal.planned("ada", []), .planned("ben", times)] {
      #expect(home.hear(.signalled(signal))?.reply == ["routine": []], "\(signal)")
    }
  }

  // MARK: Zones

  @Test("How zones do is told at the start, when one changes, and when the routine does")
  func zones() throws {
    var home = Home()
    #expect(home.hear(.started(version: "1"))?.signals == [Self.working])
    let put = try home.engine.handle(home.asked(.put(Home.pill(), revision: nil)), in: home.world)
    #expect(put?.signals == [Self.working])
    for request in [
      RoutineRequest.setOn("pill", false), .setOn("pill", true), .restock("pill", units: 3),
    ] {
      let outcome = try home.engine.handle(home.asked(request), in: home.world)
      #expect(outcome?.signals == [], "\(request)")
    }
    home.house.timeZones["Europe/Madrid"] = nil
    let gone = try home.engine.handle(.changed(.timeZone("Europe/Madrid")), in: home.world)
    guard case .health(let report, isCertain: false)? = gone?.signals.first else {
      Issue.record("nobody is told: \(String(describing: gone))")
      return
    }
    #expect(report.component == "routine/zone" && report.state == .failed)
    #expect(report.code == "zone-missing")
    #expect(
      report.detail.text(in: .en).hasPrefix(
        "1 item of the routine is not judged: there is no time zone Europe/Madrid on this machine.")
    )
    let removed = try home.engine.handle(
      home.asked(.remove("pill", revision: nil)), in: home.world)
    #expect(removed?.signals == [Self.working])
  }

  // MARK: Heartbeats

  @Test("The first heartbeat lists the routine, then one each day")
  func listedDaily() throws {
    var home = Home()
    try home.add(Home.pill())
    let first = home.engine.heartbeatMembers(in: home.world)
    #expect(first.map(\.key) == ["routine", "routineIsComplete"])
    #expect(first.first?.value.arrayContent?.first?["id"] == "pill")
    #expect(first.first?.value.arrayContent?.first?["dose"] == nil)
    home.pass(minutes: 1439)
    #expect(home.engine.heartbeatMembers(in: home.world).isEmpty)
    home.pass(minutes: 1)
    #expect(!home.engine.heartbeatMembers(in: home.world).isEmpty)
  }

  @Test("A clock that is trusted anew, or was stepped while trusted, has it listed again")
  func listedAgain() throws {
    var home = Home()
    try home.add(Home.pill())
    #expect(!home.engine.heartbeatMembers(in: home.world).isEmpty)
    let reports: [(report: ClockReport, isListed: Bool)] = [
      (ClockReport(quality: .synchronised), false),
      (ClockReport(quality: .synchronised, stepMilliseconds: 5), true),
      (ClockReport(quality: .untrusted), false),
      (ClockReport(quality: .untrusted, stepMilliseconds: 5), false),
      (ClockReport(quality: .synchronised), true),
    ]
    for (report, isListed) in reports {
      home.now.quality = report.quality
      home.hear(.observed(.clock(report)))
      #expect(home.engine.heartbeatMembers(in: home.world).isEmpty == !isListed, "\(report)")
    }
  }

  // MARK: The house

  @Test("Nothing follows from a setting that is another engine's")
  func othersSettings() throws {
    var home = Home()
    try home.add(Home.pill())
    for (name, content) in [("tierSeconds", 60 as JSONValue), ("sampleIntervalSeconds", 60)] {
      home.settings["ada", default: [:]][name] = content
      #expect(home.hear(.changed(.setting("ada", name: name))) == Outcome(), "\(name)")
    }
  }

  @Test("Who is called something else now is told of by that name")
  func renamed() throws {
    var home = Home()
    try home.add(Home.pill())
    home.tell(
      .residentsChanged([Resident(id: "ada", name: "Adele", timeZone: "Europe/Madrid")]))
    home.pass(until: "2026-03-02T08:00")
    #expect(home.events(.reminderDue).first?.facts["residentName"] == "Adele")
  }

  @Test("What is none of its business is not taken; what may have something said sees the room")
  func business() throws {
    var home = try asking()
    let entered = ZoneNews(.entered(Home.zone), isOutside: false)
    let command = Command(
      id: "1", principal: Principal(channel: .local, name: "anna"),
      request: .locate(resident: "ada"))
    let others: [Input] = [
      .changed(.guardians), .changed(.clock), .signalled(.zone(entered, of: "ada")),
      .signalled(.calledForNobody("wired")), .settled(after: .wake),
      .asked(command, sent: home.now.tick), .observed(.listening("hci0", isListening: true)),
    ]
    for input in others {
      #expect(home.engine.sees(for: input) == [] && home.hear(input) == nil, "\(input)")
    }
    let left = ZoneNews(.left(Home.zone, isExpected: false), isOutside: true)
    let own: [Input] = [
      .started(version: "1"), .time, .changed(.resident("ada")),
      .changed(.setting("ada", name: "x")),
      .changed(.timeZone("UTC")), .signalled(.alarmBegan), .signalled(.zone(left, of: "ada")),
      home.asked(.setOn("pill", true)),
    ]
    for input in own { #expect(home.engine.sees(for: input) == [.sound], "\(input)") }
  }
}
