import Care
import Core
import JSON
import Moments
import Testing

@Suite("Consent, and news to guardians")
struct ConsentAndNewsTests {
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", email: "a@example.org",
    push: "ntfy://anna", isCaregiver: true)
  private static let bert = Guardian(
    id: "bert", resident: "mary", name: "Bert", email: "b@example.org")
  private static let cleo = Guardian(
    id: "cleo", resident: "mary", name: "Cleo", phone: "+4791234568")

  private static func house(_ guardians: [Guardian] = [anna, bert, cleo]) -> CoreFixture {
    var house = CoreFixture()
    house.step(.started(version: "0"))
    house.perform(.putResident(CoreFixture.mary))
    for guardian in guardians { house.perform(.putGuardian(guardian)) }
    return house
  }

  private static func news(_ result: StepResult) -> [AlarmMessage] {
    result.actions.compactMap {
      if case .notify(let message) = $0, message.notice == .news { message } else { nil }
    }
  }

  private static func write(_ text: String = "Please call me.") -> Command.Request {
    .note(
      .send(id: "m1", resident: "mary", .toCaregivers, sender: "Mary", text: text))
  }

  private static func answer(_ kind: ConsentKind, _ isGranted: Bool) -> Command.Request {
    .putConsent(resident: "mary", kind: kind, isGranted: isGranted, by: "Anna")
  }

  // MARK: News

  @Test("What a resident writes reaches each guardian once: by push, else mail, else text message")
  func message() throws {
    var house = Self.house()
    let result = house.perform(Self.write())
    let news = Self.news(result)
    #expect(news.map(\.guardian) == ["anna", "bert", "cleo"])
    #expect(news.map(\.channel) == [.push, .email, .sms])
    #expect(news.map(\.address) == ["ntfy://anna", "b@example.org", "+4791234568"])
    #expect(news.allSatisfy { $0.text == "Mary wrote: Please call me." })
    #expect(news.allSatisfy { !$0.asksForAcknowledgement && $0.tag.isEmpty && $0.attempt == 1 })
    let event = try #require(result.events.first { $0.type == .messageSent })
    #expect(news.allSatisfy { $0.alarm.rawValue == event.id.rawValue })
    #expect(Set(result.events.map(\.id)).count == result.events.count)
  }

  @Test("What a caregiver writes to the resident is no news; that the resident heard it is")
  func receipt() {
    var house = Self.house([Self.bert])
    let sent = house.perform(
      .note(.send(id: "m2", resident: "mary", .toResident, sender: "Anna", text: "At six.")))
    #expect(Self.news(sent).isEmpty)
    let read = house.perform(.note(.read("m2")))
    #expect(Self.news(read).map(\.text) == ["Mary heard the message of Anna."])
  }

  @Test("News follow the resident's language")
  func chinese() {
    var house = Self.house([Self.bert])
    house.perform(.putSetting(resident: "mary", name: "language", value: "zh"))
    #expect(Self.news(house.perform(Self.write("请来一下"))).map(\.text) == ["Mary写道：请来一下"])
  }

  @Test("A text message of news is one text message", arguments: ["a", "好", "🏠", "é"])
  func shortened(_ letter: String) throws {
    var house = Self.house([Self.cleo])
    let result = house.perform(Self.write(String(repeating: letter, count: 1500)))
    let text = try #require(Self.news(result).first?.text)
    #expect(text.hasSuffix("..."))
    #expect(text.utf16.count <= (letter == "a" ? 160 : 70))
    #expect(!text.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test("Settings switch news off, each kind for itself")
  func settings() {
    var house = Self.house()
    house.perform(.putSetting(resident: "mary", name: "tellMessages", value: false))
    #expect(Self.news(house.perform(Self.write())).isEmpty)
    house.perform(.putSetting(resident: "mary", name: "tellMessages", value: .null))
    house.perform(.putSetting(resident: "mary", name: "tellRoutine", value: false))
    let other = Command.Request.note(
      .send(id: "m3", resident: "mary", .toCaregivers, sender: "Mary", text: "Hello"))
    #expect(Self.news(house.perform(other)).count == 3)
  }

  @Test("A delivery report of news disturbs no alarm")
  func delivery() throws {
    var house = Self.house([Self.bert])
    let message = try #require(Self.news(house.perform(Self.write())).first)
    let result = house.step(
      .observation(
        .delivery(
          DeliveryReport(
            plugin: "email", event: EventID(message.alarm.rawValue), recipient: "bert",
            channel: "email", outcome: .failed, detail: "no such address", notice: .news))))
    #expect(result.events.map(\.type) == [.deliveryReported] && result.actions.isEmpty)
  }

  // MARK: Consent

  @Test("An answer is stored with who gave it, when and how, and told")
  func recorded() throws {
    var house = Self.house()
    #expect(house.core.household.consents(of: "mary").isEmpty)
    let result = house.perform(Self.answer(.camera, true))
    let consent = Consent(
      resident: "mary", kind: .camera, isGranted: true, by: "Anna", at: house.now.utc,
      principal: "local:anna")
    #expect(house.core.household.consents(of: "mary") == [consent])
    #expect(result.events.map(\.type) == [.consentChanged])
    #expect(
      result.changes.contains {
        if case .putEngineRow(let row) = $0 {
          row.subject == "mary" && row.name == "camera"
        } else {
          false
        }
      })
    let again = CoreFixture(stored: house.core.storedState, at: house.now)
    #expect(again.core.household.consents(of: nil) == [consent])
    #expect(house.perform(Self.answer(.camera, false)).reply?.refusalCode == nil)
    #expect(house.core.household.consents(of: "mary").map(\.isGranted) == [false])
  }

  @Test("What was not asked goes on as it did, and says that it was not asked")
  func notAsked() {
    let house = Self.house()
    let summary = house.core.household.residentSummaries.first?["consent"]?.objectContent ?? []
    #expect(summary.map(\.key) == ConsentKind.allCases.map(\.rawValue))
    #expect(summary.allSatisfy { $0.value == "not-asked" })
  }

  @Test("Who refuses to be located is not tracked, and nobody can switch it on before asking again")
  func location() {
    var house = Self.house()
    let result = house.perform(Self.answer(.location, false))
    #expect(result.events.map(\.type).contains(.trackingChanged))
    for request in [
      Command.Request.setTracking(resident: "mary", isOn: true), .locate(resident: "mary"),
    ] {
      #expect(house.perform(request).reply?.refusalCode == .forbidden)
    }
    #expect(house.perform(.setTracking(resident: "mary", isOn: false)).reply?.refusalCode == nil)
    house.perform(Self.answer(.location, true))
    #expect(house.perform(.setTracking(resident: "mary", isOn: true)).reply?.refusalCode == nil)
  }

  @Test("Where somebody was is not told any more when they refuse it, and again when they agree")
  func lastPosition() throws {
    var house = Self.house([Self.anna])
    house.perform(.putZone(CoreFixture.zone()))
    house.step(house.fix(metersNorth: 5), afterSeconds: 10)
    func tracking() -> JSONValue? { house.core.household.residentSummaries.first?["tracking"] }
    #expect(tracking()?["position"] != nil && tracking()?["zones"] != nil)
    house.perform(Self.answer(.location, false))
    let refused = try #require(tracking())
    #expect(refused["isOn"] == false && refused["name"] == "Mary")
    for member in ["position", "zones", "outside", "lastRecord", "leftHomeAt"] {
      #expect(refused[member] == nil, "\(member)")
    }
    // Nor in an alarm: the last position is forgotten there, also over a power cut.
    var again = CoreFixture(stored: house.core.storedState, at: house.now)
    again.perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .backend, text: "")), id: "sos")
    for _ in 0..<60 { again.step(.wake, afterSeconds: 1) }
    let told = again.results.flatMap(\.events).filter { $0.type.rawValue.hasPrefix("alarm.") }
    #expect(told.contains { $0.type == .alarmDispatched })
    #expect(!told.contains { $0.facts.serialized.contains("latitude") })
    house.perform(Self.answer(.location, true))
    #expect(tracking()?["position"] != nil && tracking()?["zones"] != nil)
  }

  @Test("Who refuses the camera is not photographed, and an SOS goes on without")
  func camera() {
    for isRefused in [false, true] {
      var house = Self.house([Self.anna])
      if isRefused { house.perform(Self.answer(.camera, false)) }
      house.perform(.alarm(.raise(resident: "mary", kind: .sos, trigger: .backend, text: "")))
      var results: [StepResult] = []
      for _ in 0..<60 { results.append(house.step(.wake, afterSeconds: 1)) }
      results.append(house.perform(.alarm(.photograph(resident: "mary"))))
      let photographs = results.flatMap(\.actions).filter {
        if case .photograph = $0 { true } else { false }
      }
      #expect(photographs.isEmpty == isRefused)
      #expect((results.last?.reply?.refusalCode == .forbidden) == isRefused)
      let told = results.flatMap(\.actions).contains {
        if case .notify(let message) = $0 { message.notice == .alarm } else { false }
      }
      #expect(told)
    }
  }

  @Test("Why there is no photograph is said in the language of the resident")
  func cameraInChinese() {
    for (language, words) in [
      ("en", "the resident refused the camera."), ("zh", "被照护者拒绝拍照。"),
    ] {
      var house = Self.house([Self.anna])
      house.perform(.putSetting(resident: "mary", name: "language", value: .string(language)))
      house.perform(Self.answer(.camera, false))
      var results = [
        house.perform(.alarm(.raise(resident: "mary", kind: .sos, trigger: .backend, text: "")))
      ]
      for _ in 0..<60 { results.append(house.step(.wake, afterSeconds: 1)) }
      let details = results.flatMap(\.events).filter { $0.type == .alarmPhoto }.map {
        $0.facts["detail"]?.stringContent
      }
      #expect(details == [words])
    }
  }

  @Test("Who refuses notifications sends guardians no news; an SOS still reaches them")
  func notifications() {
    var house = Self.house([Self.anna])
    house.perform(Self.answer(.notifications, false))
    #expect(Self.news(house.perform(Self.write())).isEmpty)
    house.perform(.alarm(.raise(resident: "mary", kind: .sos, trigger: .backend, text: "")))
    var messages: [AlarmMessage] = []
    for _ in 0..<60 {
      messages += house.step(.wake, afterSeconds: 1).actions.compactMap {
        if case .notify(let message) = $0 { message } else { nil }
      }
    }
    #expect(messages.contains { $0.notice == .alarm && $0.guardian == "anna" })
  }

  @Test("Consent needs a resident and a name, and goes with the resident")
  func bounds() {
    var house = Self.house()
    let nobody = Command.Request.putConsent(
      resident: "nobody", kind: .camera, isGranted: true, by: "Anna")
    #expect(house.perform(nobody).reply?.refusalCode == .unknownTarget)
    for name in ["", " ", "a\nb", String(repeating: "x", count: 201)] {
      let request = Command.Request.putConsent(
        resident: "mary", kind: .camera, isGranted: true, by: name)
      #expect(house.perform(request).reply?.refusalCode == .invalid)
    }
    house.perform(Self.answer(.camera, false))
    house.perform(.eraseResident("mary"))
    #expect(house.core.household.consents(of: nil).isEmpty)
    #expect(!house.core.storedState.engineRows.contains { $0.engine == "consent" })
  }

  @Test("A request about consent comes back from JSON as it went in")
  func roundTrip() throws {
    for kind in ConsentKind.allCases {
      let request = Self.answer(kind, kind == .camera)
      #expect(try Command.Request(json: request.json) == request)
    }
  }
}
