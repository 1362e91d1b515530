import Bytes
import Testing

@Suite struct LineFramerTests {
  private let text = Array("{\"a\":1}\n\n{\"b\":\"ü\"}\r\nrest".utf8)
  private let expected = ["{\"a\":1}", "", "{\"b\":\"ü\"}\r"]

  private func lines(
    _ chunks: [some Collection<UInt8>], by framer: inout LineFramer
  ) throws -> [String] {
    var lines: [String] = []
    for chunk in chunks {
      framer.append(chunk)
      while let line = try framer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  private func lines(_ chunks: [ArraySlice<UInt8>]) throws -> [String] {
    var framer = LineFramer(maximumBytes: 100)
    return try lines(chunks, by: &framer)
  }

  @Test func wholeSplitAndByteByByteGiveTheSameLines() throws {
    #expect(try lines([text[...]]) == expected)
    #expect(try lines(text.indices.map { text[$0...$0] }) == expected)
    for cut in text.indices { #expect(try lines([text[..<cut], text[cut...]]) == expected) }
  }

  @Test func aLineOfTheLimitPassesAndOneByteMoreBreaksForGood() throws {
    var framer = LineFramer(maximumBytes: 10)
    framer.append([UInt8](repeating: 65, count: 10) + [10])
    #expect(try framer.next()?.count == 10)
    framer.append([UInt8](repeating: 65, count: 11))
    #expect(throws: LineFramer.LineTooLong(maximumBytes: 10)) { try framer.next() }
    framer.append([10, 65, 10])
    #expect(throws: LineFramer.LineTooLong(maximumBytes: 10)) { try framer.next() }
    #expect(framer.pendingBytes == 0)
    #expect(framer.overlongLines == 1)
  }

  @Test(
    "A line too long is cut or passed over, however it comes, and the others are whole",
    arguments: [
      (LineFramer.Excess.isCut, ["ab", "0123", "", "4567", "0123", "cd"]),
      (.isPassedOver, ["ab", "", "4567", "cd"]),
    ])
  func tooLong(excess: LineFramer.Excess, expected: [String]) throws {
    let text = Array("ab\n01234\n\n4567\n0123456789\ncd\nrest".utf8)
    for size in 1...text.count {
      let starts = stride(from: 0, to: text.count, by: size)
      let chunks = starts.map { text[$0..<min($0 + size, text.count)] }
      var framer = LineFramer(maximumBytes: 4, excess: excess)
      let found = try lines(chunks, by: &framer)
      #expect(found == expected, "\(size)")
      #expect(framer.overlongLines == 2)
      #expect(framer.pendingBytes == 4)
    }
  }

  @Test(
    "A line without an end takes no memory beyond the limit, and counts once, before it ends",
    arguments: [(LineFramer.Excess.isCut, 100), (.isPassedOver, 0)])
  func endless(excess: LineFramer.Excess, kept: Int) throws {
    var framer = LineFramer(maximumBytes: 100, excess: excess)
    for _ in 0..<100 {
      framer.append([UInt8](repeating: 0x78, count: 9000))
      #expect(try framer.next() == nil)
      #expect(framer.pendingBytes == kept)
      #expect(framer.overlongLines == 1)
    }
    let rest = try lines([Array("x\nf\n".utf8)], by: &framer)
    #expect(rest.last == "f")
  }

  @Test("Lines before one that is too long come out first, and nothing after it ever")
  func goodLinesFirst() throws {
    var framer = LineFramer(maximumBytes: 3)
    framer.append(Array("abc\n\nabcd\nab\n".utf8))
    #expect(try framer.next() == Array("abc".utf8))
    #expect(try framer.next() == [])
    for _ in 0..<2 {
      #expect(throws: LineFramer.LineTooLong(maximumBytes: 3)) { try framer.next() }
      framer.append(Array("ok\n".utf8))
      #expect(framer.pendingBytes == 0)
    }
    #expect(framer.overlongLines == 1)
  }

  @Test("Where nothing may be in a line, empty ones still are lines")
  func limitOfNothing() throws {
    var framer = LineFramer(maximumBytes: 0, excess: .isCut)
    #expect(try lines([Array("\na\n\nbc".utf8)], by: &framer) == ["", "", ""])
    #expect(framer.pendingBytes == 0 && framer.overlongLines == 2)
    var strict = LineFramer(maximumBytes: 0)
    strict.append([0x0A])
    #expect(try strict.next() == [])
    strict.append([0x61])
    #expect(throws: LineFramer.LineTooLong.self) { try strict.next() }
  }

  @Test("Lines that are taken late are the same, however much has gone through before")
  func lateReader() throws {
    var random = SplitMix64(seed: 5)
    var framer = LineFramer(maximumBytes: 50)
    var given: [[UInt8]] = []
    var taken: [[UInt8]] = []
    for number in 0..<20_000 {
      let line = Array("\(number) \(String(repeating: "x", count: Int(random.next() % 40)))".utf8)
      given.append(line)
      let cut = Int(random.next() % UInt64(line.count + 1))
      framer.append(line[..<cut])
      // Now and then nobody reads for long, so that much is taken out at once behind a rest.
      if random.next() % 500 == 0 {
        while let next = try framer.next() { taken.append(next) }
      } else if random.next().isMultiple(of: 2), let next = try framer.next() {
        taken.append(next)
      }
      framer.append(line[cut...] + [0x0A])
    }
    while let next = try framer.next() { taken.append(next) }
    #expect(taken == given)
    #expect(framer.pendingBytes == 0)
  }
}
