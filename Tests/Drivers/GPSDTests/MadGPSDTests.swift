import Care
import GPSD
import Glibc
import Loop
import Moments
import Ports
import Synchronization
import Testing

/// A server that plays a gpsd out of its mind: no real one says such things on demand.
@Suite struct MadGPSDTests {
  private static let sane =
    #"{"class":"TPV","device":"d","mode":3,"time":"2030-01-01T00:00:09.000Z","lat":1.5,"lon":2.5,"eph":4}"#

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aLineOfTenMegabytesEndsTheConnectionAndANewOneIsMade() async throws {
    let connections = Mutex(0)
    let server = try LoopbackServer { descriptor in
      let number = connections.withLock { count in
        count += 1
        return count
      }
      if number == 1 {
        writeAll([UInt8](repeating: 0x78, count: 10_000_000), to: descriptor)
      } else {
        Self.say([Self.sane], to: descriptor)
      }
    }
    let watched = Watched(.init(id: "gps", port: server.port), peer: server)
    defer { watched.source.stop() }
    await watched.recorder.wait { !$0.fixes.isEmpty }
    #expect(watched.recorder.fixes.first?.latitudeDegrees == 1.5)
    #expect(watched.recorder.codes == ["starting", "gpsd-gone", ""])
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      #"{"class":"TPV","device":"d","mode":3,"lat":48.1"#,
      #"{"class":"TPV","device":"d","mode":3,"lat":48.1,"lon":NaN}"#,
      #"{"class":"TPV","device":"d","mode":3,"lat":-inf,"lon":2.1}"#,
      #"{"class":"TPV","device":"d","mode":3,"lat":1e999,"lon":2.1}"#,
      #"{"class":"TPV","device":"d","mode":3,"lat":48.1,"lon":}"#,
      #"{"class":"TPV","device":"d","mode":3,"lat":48.1,"lon":"east"}"#,
      #"{"class":"TPV","device":"d","mode":77,"lat":48.1,"lon":2.1}"#,
      #"{"class":"TPV","device":"d","mode":3,"time":"99999999-99-99T99:99:99Z"}"#,
      #"{"class":"DEVICES","devices":[{"path":7},"#, #"{"class":"SKY","satellites":[{"PRN":"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"a"},{"class":"DEVICE","path":"b"},{"class":"DEVICE","path":"c"},{"class":"DEVICE","path":"d"},{"class":"DEVICE","path":"e"},{"class":"DEVICE","path":"f"}]}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":7},{"class":"DEVICE"},{"class":"DEVICE","a":[{"class":"DEVICE"}]}]}"#,
      #"{"class":"TPV","x":{"class":"TPV","mode":3,"lat":48.1,"lon":2.1}}"#,
      #"{"class":"TPV","mode":3,"lat":48.1,"lon":2.1,"lon":3.1}"#,
      #"{"class":"TPV","mode":3,"lat":48.1,"lon":2.1}{"class":"TPV","mode":3,"lat":4.1,"lon":2.1}"#,
      "", "{", "}", "\u{0}\u{1}", "no JSON at all", "[1,2,3]", #"{"class":"TPV"}"#,
    ])
  @LoopActor func nonsenseGivesNoPositionAndTheNextReportIsRead(_ line: String) async throws {
    let server = try LoopbackServer { Self.say([line, Self.sane], to: $0) }
    let watched = Watched(.init(id: "gps", port: server.port), peer: server)
    defer { watched.source.stop() }
    await watched.recorder.wait { recorder in
      recorder.fixes.contains { $0.latitudeDegrees == 1.5 }
    }
    let nonsense = watched.recorder.fixes.prefix { $0.latitudeDegrees != 1.5 }
    #expect(nonsense.allSatisfy { $0.coordinate == nil })
    #expect(watched.recorder.codes.contains("gpsd-gone") == false)
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func manyReportsInOnePieceAllArrive() async throws {
    let lines = (0..<1000).map {
      #"{"class":"TPV","device":"d","mode":2,"time":"2030-01-01T00:00:\#(10 + $0 / 100).\#(100 + $0 % 100)Z","lat":1.5,"lon":\#($0)e-3}"#
    }
    let server = try LoopbackServer { Self.say(lines, to: $0) }
    let watched = Watched(.init(id: "gps", port: server.port), peer: server)
    defer { watched.source.stop() }
    await watched.recorder.wait { $0.fixes.count == 1000 }
    let longitudes = watched.recorder.fixes.compactMap(\.longitudeDegrees)
    #expect(longitudes == (0..<1000).map { Double($0) / 1000 })
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aDateThatRolledOverIsSaidAndNeverLearnedFrom() async throws {
    let lines = [
      #"{"class":"TPV","device":"d","mode":3,"time":"2010-10-17T12:00:00.000Z","lat":1.5,"lon":2.5}"#,
      #"{"class":"TPV","device":"d","mode":3,"time":"2030-06-02T12:00:00.000Z","lat":1.5,"lon":2.5}"#,
      #"{"class":"TPV","device":"d","mode":3,"time":"2030-06-01T12:00:00.000Z","lat":1.5,"lon":2.5}"#,
    ]
    let server = try LoopbackServer { Self.say(lines, to: $0) }
    let watched = Watched(.init(id: "gps", port: server.port), peer: server)
    defer { watched.source.stop() }
    watched.clock.quality = .synchronised
    watched.clock.utc = try Timestamp(iso8601: "2030-06-02T12:00:00Z")
    await watched.recorder.wait { $0.fixes.count == 3 }
    #expect(watched.recorder.codes == ["starting", "rolled-over", "", "receiver-clock"])
    #expect(watched.clock.considered == [watched.clock.utc])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aStoppedSourceSaysNothingMore() async throws {
    let gone = DispatchedFlag()
    let server = try LoopbackServer { descriptor in
      Self.say([Self.sane], to: descriptor)
      gone.set()
    }
    let watched = Watched(.init(id: "gps", port: server.port), peer: server)
    await watched.recorder.wait { !$0.fixes.isEmpty }
    let count = watched.recorder.fixes.count + watched.recorder.health.count
    watched.source.stop()
    await gone.wait()
    await withCheckedContinuation { continuation in
      EventLoop.current.post { continuation.resume() }
    }
    #expect(watched.recorder.fixes.count + watched.recorder.health.count == count)
  }

  /// Sends lines and then keeps the connection open until the far end closes it.
  private static func say(_ lines: [String], to descriptor: Int32) {
    writeAll(Array((lines.joined(separator: "\r\n") + "\r\n").utf8), to: descriptor)
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}

/// Something that another thread says once.
final class DispatchedFlag: Sendable {
  private let stream = AsyncStream<Void>.makeStream()
  func set() { stream.continuation.finish() }
  func wait() async { for await _ in stream.stream {} }
}
