import Bytes
import CareReports
import JSON
import ReportTestSupport
import Testing

@Suite struct ReportParcelTests {
  private func parcel(_ kind: ReportRequest.Kind = .missing) -> ReportParcel {
    ReportParcel(
      ReportDocument(ReportSamples.request(kind), ReportSamples.answers()), on: .letter,
      pictures: ["a": [0xFF, 0xD8, 0], "b": [], "c": Array(0...255)])
  }

  @Test func aParcelComesThroughAsItWas() throws {
    for kind in ReportRequest.Kind.allCases {
      let text = parcel(kind).json.serialized
      #expect(try ReportParcel(json: JSONValue(parsing: text)) == parcel(kind))
    }
  }

  @Test func whatIsNoParcelIsRefusedByTheFieldThatIsWrong() {
    let parts: [(part: JSONValue, fault: DecodeError)] = [
      (5, DecodeError(.wrongType, at: 0)),
      (["text": "x"], DecodeError(.missingField, at: 0, field: "part")),
      (["part": "song"], DecodeError(.unknownWord, at: 0, field: "part")),
      (["part": "heading"], DecodeError(.missingField, at: 0, field: "text")),
      (["part": "paragraph", "text": 5], DecodeError(.wrongType, at: 0, field: "text")),
      (["part": "doubt"], DecodeError(.missingField, at: 0, field: "text")),
      (
        ["part": "facts", "facts": [["name": "Mean"]]],
        DecodeError(.missingField, at: 0, field: "value")
      ),
      (["part": "facts", "facts": ["Mean"]], DecodeError(.wrongType, at: 0)),
      (
        ["part": "table", "header": ["When"], "rows": ["1"]],
        DecodeError(.outOfRange, at: 0, field: "rows")
      ),
      (["part": "table", "header": [1]], DecodeError(.wrongType, at: 0, field: "header")),
      (["part": "chart"], DecodeError(.missingField, at: 0, field: "chart")),
      (["part": "picture", "id": "a"], DecodeError(.missingField, at: 0, field: "words")),
    ]
    let document = parcel().document.json
    let wrong: [(json: JSONValue, fault: DecodeError)] = [
      ([1], DecodeError(.wrongType, at: 0)),
      (
        parcel().json.setting("paper", to: "a5"), DecodeError(.unknownWord, at: 0, field: "paper")
      ),
      (
        parcel().json.setting("paper", to: .null),
        DecodeError(.missingField, at: 0, field: "paper")
      ),
      (
        parcel().json.setting("document", to: .null),
        DecodeError(.missingField, at: 0, field: "document")
      ),
      (
        parcel().json.setting("pictures", to: .null),
        DecodeError(.missingField, at: 0, field: "pictures")
      ),
      (
        parcel().json.setting("document", to: document.setting("lines", to: "x")),
        DecodeError(.wrongType, at: 0, field: "lines")
      ),
      (
        parcel().json.setting("document", to: document.setting("title", to: .null)),
        DecodeError(.missingField, at: 0, field: "title")
      ),
    ]
    let pictures: [JSONValue] = [
      ["a": 5], ["a": "AAA"], ["a": "****"], ["b": "AA==", "a": "A==="],
    ]
    let all =
      wrong
      + parts.map { part, fault in
        (parcel().json.setting("document", to: document.setting("parts", to: [part])), fault)
      }
      + pictures.map {
        (
          parcel().json.setting("pictures", to: $0),
          DecodeError(.outOfRange, at: 0, field: "pictures")
        )
      }
    for (json, fault) in all {
      #expect(throws: fault, "\(json.serialized.prefix(200))") { try ReportParcel(json: json) }
    }
  }
}
