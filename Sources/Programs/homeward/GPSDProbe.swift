import Bytes
import Care
import JSON

/// What a gpsd says about itself, its receivers and where it is.
struct GPSDProbe {
  var version: String
  var devices: [String]
  /// A position, when a fix came within the time.
  var position: Coordinate?

  /// Asks gpsd; with `waitsForFix` a position is waited for, up to five seconds.
  init(host: String, port: Int, waitsForFix: Bool = false) throws(TCPProbe.Failure) {
    let probe = try TCPProbe(host: host, port: port, timeoutMilliseconds: waitsForFix ? 5000 : 3000)
    try probe.send(Array(#"?WATCH={"enable":true,"json":true};"#.utf8))
    var framer = LineFramer(maximumBytes: 1 << 20)
    var (version, devices): (String?, [String]?) = (nil, nil)
    var position: Coordinate?
    while version == nil || devices == nil || (waitsForFix && position == nil) {
      do throws(TCPProbe.Failure) { framer.append(try probe.receive()) } catch {
        guard version != nil, devices != nil else { throw error }
        break
      }
      while let line = try Self.line(of: &framer) {
        let message = try? JSONValue(parsing: line)
        switch message?["class"]?.stringContent {
        case "VERSION": version = message?["release"]?.stringContent ?? "?"
        case "DEVICES":
          devices =
            message?["devices"]?.arrayContent?.compactMap { $0["path"]?.stringContent } ?? []
        case "TPV": position = Self.position(message) ?? position
        default: break
        }
      }
    }
    self.version = version ?? "?"
    self.devices = devices ?? []
    self.position = position
  }

  private static func line(of framer: inout LineFramer) throws(TCPProbe.Failure) -> [UInt8]? {
    do { return try framer.next() } catch {
      throw TCPProbe.Failure(reason: gettext("this is no gpsd"))
    }
  }

  private static func position(_ report: JSONValue?) -> Coordinate? {
    guard let mode = report?["mode"]?.integerContent, mode >= 2,
      let latitude = report?["lat"]?.doubleContent, let longitude = report?["lon"]?.doubleContent
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}
