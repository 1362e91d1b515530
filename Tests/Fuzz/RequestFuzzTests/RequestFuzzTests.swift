import Bytes
import RequestReaders
import TestSupport
import Testing

@Suite("Damaged requests")
struct RequestFuzzTests {
  /// Commands of which some members exclude each other, so that one with all of them is none.
  private static let exclusive = ["zone.put", "absence.put", "tag.put"]

  @Test("Every sample of what browsers send is read", arguments: RequestReader.allCases)
  func samples(reader: RequestReader) throws {
    #expect(reader.samples.count > 10)
    for sample in reader.samples {
      let text = String(decoding: sample, as: UTF8.self)
      let isExclusive =
        reader == .command && Self.exclusive.contains { text.contains("\"action\":\"\($0)\"") }
      #expect(try reader.check(sample) != isExclusive, "\(text)")
    }
  }

  @Test(
    "Whatever a browser sends breaks no promise, and some is read and some refused",
    arguments: RequestReader.allCases)
  func damaged(reader: RequestReader) {
    var damage = RequestDamage(of: reader.samples, seed: 20_261_120)
    var (read, refused) = (0, 0)
    for _ in 0..<TestSize.count(whole: 1_000_000, usual: 2_000) {
      let bytes = damage.next()
      do {
        if try reader.check(bytes) { read += 1 } else { refused += 1 }
      } catch {
        Issue.record("\(error): \(Hexadecimal.text(bytes))")
        return
      }
    }
    #expect(read > 50 && refused > 50, "\(read) read, \(refused) refused")
  }

  @Test("The same seed gives the same damage, another seed other")
  func seeds() {
    let found = ([7, 7, 8] as [UInt64]).map { seed in
      var damage = RequestDamage(of: RequestReader.target.samples, seed: seed)
      return (0..<100).map { _ in damage.next() }
    }
    #expect(found[0] == found[1] && found[0] != found[2])
  }
}
