import Glibc
import Loop
import TestSupport
import Testing

/// Lines on the way to somebody who reads them, or does not.
@Suite struct LogWriterTests {
  private static let tail = " dropped here: nobody took them in time"

  @Test("Whoever writes never waits, and each line is read, or counted in its place")
  func everyLineIsAccountedFor() throws {
    let end = try DeafEnd(.pipe)
    let writer = LogWriter(descriptor: end.descriptor, prefix: "<4>")
    for number in 0..<2000 {
      writer.write("line \(number) \(String(repeating: "x", count: number % 200))\n")
    }
    let dropped = Int(writer.state.dropped)
    #expect(dropped > 0)
    #expect(writer.state.waitingBytes <= 64 << 10)
    let isStuck = Eventually.holds(withinSeconds: 10) { writer.state.stuckMilliseconds > 0 }
    #expect(isStuck)

    let lines = try #require(end.listen())
    let notice = try lines.take("the count") { $0.hasSuffix(Self.tail) }
    #expect(notice == "<4>\(dropped) lines were\(Self.tail)")
    // The first lines are there, in order and whole, and the count stands behind the last of them.
    let kept = lines.remaining.filter { $0.hasPrefix("line ") }
    #expect(kept.count == 2000 - dropped)
    for (number, line) in kept.enumerated() {
      #expect(line == "line \(number) \(String(repeating: "x", count: number % 200))")
    }
    writer.write("again\n")
    _ = try lines.take("a line after the count") { $0 == "again" }
    let isQuiet = Eventually.holds(withinSeconds: 10) { writer.state.waitingBytes == 0 }
    #expect(isQuiet)
    #expect(writer.state.dropped == UInt64(dropped))
    #expect(writer.state.error == 0)
  }

  @Test("Lines that go round the buffer's end come whole")
  func roundTheEnd() throws {
    let end = try DeafEnd(.stream)
    let writer = LogWriter(descriptor: end.descriptor, prefix: "")
    let lines = try #require(end.listen())
    for number in 0..<3000 {
      let line = "\(number) \(String(repeating: "y", count: 61 + number % 1000))"
      writer.write(line + "\n")
      if number % 40 == 0 { _ = try lines.take("line \(number)") { $0 == line } }
    }
    _ = try lines.take("the last line") { $0.hasPrefix("2999 ") }
    #expect(writer.state.dropped == 0)
    // Beside the lines only what the end was filled with.
    #expect(lines.remaining.allSatisfy { $0.contains(" yyy") || $0.allSatisfy { $0 == "x" } })
  }

  @Test("A full disk loses lines, which are counted, and costs nobody time")
  func fullDisk() throws {
    let end = try DeafEnd(.fullDisk)
    let writer = LogWriter(descriptor: end.descriptor, prefix: "")
    for _ in 0..<10 { writer.write("lost\n") }
    let isCounted = Eventually.holds(withinSeconds: 10) { writer.state.dropped == 10 }
    #expect(isCounted)
    #expect(writer.state.error == ENOSPC)
  }

  @Test("A descriptor that others made one that does not wait is waited for all the same")
  func sharedDescriptor() throws {
    let end = try DeafEnd(.pipe)
    _ = fcntl(end.descriptor, F_SETFL, O_NONBLOCK)
    let writer = LogWriter(descriptor: end.descriptor, prefix: "")
    writer.write("patience\n")
    let isWaiting = Eventually.holds(withinSeconds: 10) { writer.state.stuckMilliseconds > 0 }
    #expect(isWaiting)
    let lines = try #require(end.listen())
    _ = try lines.take("the line") { $0 == "patience" }
    #expect(fcntl(end.descriptor, F_GETFL) & O_NONBLOCK != 0, "others rely on it")
  }

  @Test("A line that is too long is cut, and the next stands on a line of its own")
  func longLine() throws {
    let end = try DeafEnd(.pipe)
    let writer = LogWriter(descriptor: end.descriptor, prefix: "")
    writer.write(String(repeating: "z", count: 100_000) + "\n")
    writer.write("next\n")
    let lines = try #require(end.listen())
    _ = try lines.take("the next line") { $0 == "next" }
    #expect(lines.remaining.contains { $0.count == (16 << 10) - 1 })
  }
}
