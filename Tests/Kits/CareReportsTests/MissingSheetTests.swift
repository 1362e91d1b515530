import CareReports
import JSON
import ReportTestSupport
import Testing

@Suite struct MissingSheetTests {
  /// The sheet, made at 2026-12-01 00:00.
  private func sheet(_ change: (inout ReportAnswers) -> Void) -> ReportDocument {
    var answers = ReportSamples.answers()
    change(&answers)
    return ReportDocument(ReportSamples.request(.missing), answers)
  }

  private func portrait(_ text: String, _ pictures: JSONValue) -> JSONValue {
    [
      [
        "id": "p", "resident": "mary", "kind": "portrait", "text": .string(text), "tags": [],
        "pictures": pictures, "time": "2026-11-03T12:00:00.000Z",
        "changedAt": "2026-11-03T12:00:00.000Z",
      ]
    ]
  }

  @Test func looksAreTheWordsAndThePictureAndWhatOfThemIsNotThere() {
    let picture = ReportPart.picture(id: "f00d", words: "Photograph of Mary Smith")
    let noWords = ReportPart.doubt("Nobody has written down yet what Mary Smith looks like.")
    let noPicture = ReportPart.doubt("There is no photograph.")
    let cases: [(text: String, pictures: JSONValue, parts: [ReportPart])] = [
      ("Grey hair", ["f00d", "beef"], [picture, .paragraph("Grey hair")]),
      ("", ["f00d"], [picture, noWords]), ("Grey hair", [], [.paragraph("Grey hair"), noPicture]),
      ("", [], [noWords, noPicture]),
    ]
    for (text, pictures, parts) in cases {
      let found = sheet { $0.replace("notes.query", by: portrait(text, pictures)) }
      #expect(found.under("What Mary Smith looks like") == parts)
    }
    let none = sheet { $0.replace("notes.query", by: []) }
    #expect(none.under("What Mary Smith looks like") == [noWords, noPicture])
    let refused = sheet {
      $0.replace("notes.query", by: .null)
      $0.refuse("notes.query", because: "The disk does not answer.")
    }
    #expect(
      refused.under("What Mary Smith looks like") == [
        .doubt("This is missing here: The disk does not answer.")
      ])
  }

  private func position(_ members: JSONValue) -> [ReportPart]? {
    sheet {
      $0.replace(
        "residents.list",
        by: [
          ["id": "ben", "tracking": ["position": ["latitude": 1.5, "longitude": 1.5]]],
          ["id": "mary", "tracking": ["position": members]],
        ])
    }.under("Where Mary Smith was last")
  }

  @Test func theLastPositionSaysHowOldAndHowSureItIs() {
    func facts(_ time: String, _ more: [ReportFact] = []) -> ReportPart {
      .facts(
        [ReportFact("Seen", time), ReportFact("Latitude, longitude", "40.01, -74.02")] + more)
    }
    let place: JSONValue = ["latitude": 40.01, "longitude": -74.02]
    let old = ReportPart.doubt("This position is more than ten minutes old.")
    let unknown = [ReportPart.doubt("No position is known.")]
    let fresh = place.setting("time", to: "2026-11-30T23:50:00.000Z")
    let cases: [(members: JSONValue, parts: [ReportPart])] = [
      (fresh, [facts("2026-11-30 23:50")]),
      (
        place.setting("time", to: "2026-11-30T23:49:59.999Z"), [facts("2026-11-30 23:49"), old]
      ),
      (place, [facts("–")]),
      (
        fresh.setting("accuracyMeters", to: 12),
        [facts("2026-11-30 23:50", [ReportFact("How sure", "within 12 m")])]
      ),
      (
        fresh.setting("accuracyMeters", to: 12.1).setting("address", to: "Mill Lane 3"),
        [
          facts(
            "2026-11-30 23:50",
            [ReportFact("Near", "Mill Lane 3"), ReportFact("How sure", "within 13 m")])
        ]
      ),
      (fresh.setting("latitude", to: 91), unknown),
      (fresh.setting("longitude", to: .null), unknown),
      (.null, unknown),
    ]
    for (members, parts) in cases { #expect(position(members) == parts, "\(members.serialized)") }
  }

  @Test func usualPlacesAreThoseOfTheResidentByAddressOrElseByDegrees() {
    let found = sheet {
      $0.add(
        [
          [
            "resident": "mary", "name": "Church", "address": "Mill Lane 1",
            "coordinate": ["latitude": 40.5, "longitude": -74.25],
          ],
          [
            "resident": "mary", "name": "Garden",
            "coordinate": ["latitude": 40.5, "longitude": -74.25],
          ], ["resident": "ben", "name": "Pub", "address": "Mill Lane 2"],
        ], to: "bookmarks.list")
      $0.add(
        [
          [
            "resident": "mary", "name": "Sister", "address": "", "latitude": 41.5,
            "longitude": -74.5,
          ]
        ], to: "guidance.places")
    }
    #expect(
      found.under("Usual places") == [
        .table(
          header: ["Place", "Address"],
          rows: [
            ["Church", "Mill Lane 1"], ["Garden", "40.5, -74.25"], ["Sister", "41.5, -74.5"],
          ])
      ])
    #expect(sheet { _ in }.under("Usual places") == [.paragraph("No place is kept yet.")])
    // Of two lists one is known: what is not is said, and nothing is claimed.
    let half = sheet {
      $0.add([], to: "bookmarks.list")
      $0.refuse("guidance.places", because: "No.")
    }
    #expect(half.under("Usual places") == [.doubt("This is missing here: No.")])
  }

  @Test func whomToCallIsWhoeverIsToldOfTheAlarmsOfTheResident() {
    let found = sheet {
      $0.add(
        [
          ["resident": "mary", "name": "Anna", "phone": "+1 201 555 0123"],
          ["resident": "ben", "name": "Carl", "phone": "+1 201 555 0124"],
          ["resident": "mary", "name": "Dora"],
        ], to: "guardians.list")
    }
    #expect(
      found.under("Whom to call") == [
        .table(
          header: ["Name", "Phone number"], rows: [["Anna", "+1 201 555 0123"], ["Dora", "–"]])
      ])
  }

  @Test func medicineAndIllnessAreToldWithWhenItWasTakenLast() {
    #expect(
      sheet { _ in }.under("Medicine and illness") == [
        .paragraph("Diabetes: Type 2"),
        .table(
          header: ["Medicine", "Dose", "Last taken"],
          rows: [["The white pill", "1 tablet", "2026-11-30 08:00"]]),
      ])
    let never = sheet {
      $0.replace("profile.get", by: .object([]))
      $0.replace(
        "routine.list",
        by: [
          ["resident": "mary", "kind": "medicine", "title": "Drops"],
          ["resident": "mary", "kind": "meal", "title": "Lunch"],
        ])
    }
    #expect(
      never.under("Medicine and illness") == [
        .table(header: ["Medicine", "Dose", "Last taken"], rows: [["Drops", "", "–"]])
      ])
  }
}
