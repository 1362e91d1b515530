import CGPS
import Care
import Glibc
import Moments

/// A receiver as gpsd lists it.
struct ReceiverDevice: Hashable, Sendable {
  /// The path or address that gpsd knows it by.
  var path: String
  /// Whether gpsd has it open.
  var isActive: Bool
}

/// One TPV report, its numbers checked for being numbers and nothing more.
struct PositionReport: Hashable, Sendable {
  var device = ""
  var mode = FixMode.unknown
  var time: Timestamp?
  var latitudeDegrees: Double?
  var longitudeDegrees: Double?
  var accuracyMeters: Double?
  var altitudeMeters: Double?
  var speedMetersPerSecond: Double?
  var courseDegrees: Double?
  var isSimulated = false
}

/// One message of gpsd, as far as Homeward reads it.
enum GPSDMessage: Hashable, Sendable {
  case position(PositionReport)
  case satellitesUsed(Int, device: String)
  case devices([ReceiverDevice])
  case device(ReceiverDevice)
  case other
}

extension GPSDMessage {
  /// What the shim filled in; a kind without its content becomes ``other``.
  init(_ report: homeward_gps_report) {
    switch report.kind {
    case Int32(HOMEWARD_GPS_POSITION.rawValue):
      self = .position(PositionReport(report))
    case Int32(HOMEWARD_GPS_SKY.rawValue) where report.satellites_used >= 0:
      self = .satellitesUsed(Int(report.satellites_used), device: text(of: report.device))
    case Int32(HOMEWARD_GPS_DEVICES.rawValue):
      self = .devices(ReceiverDevice.listed(in: report))
    case Int32(HOMEWARD_GPS_DEVICE.rawValue):
      self = .device(
        ReceiverDevice(path: text(of: report.device), isActive: report.device_is_active))
    default: self = .other
    }
  }
}

extension ReceiverDevice {
  fileprivate static func listed(in report: homeward_gps_report) -> [ReceiverDevice] {
    let places = [
      report.devices.0, report.devices.1, report.devices.2, report.devices.3,
    ]
    return places.prefix(max(0, Int(report.device_count))).map {
      ReceiverDevice(path: text(of: $0.path), isActive: $0.is_active)
    }
  }
}

extension PositionReport {
  /// Status number with which gpsd marks a simulated fix.
  private static let simulatedStatus: Int32 = 8

  fileprivate init(_ report: homeward_gps_report) {
    device = text(of: report.device)
    mode = FixMode(gpsdMode: report.mode)
    time = report.has_time ? Timestamp(milliseconds: report.time_milliseconds) : nil
    latitudeDegrees = report.latitude_degrees.ifFinite
    longitudeDegrees = report.longitude_degrees.ifFinite
    accuracyMeters = Self.horizontalError(
      eph: report.eph_meters, epx: report.epx_meters, epy: report.epy_meters)
    altitudeMeters = report.altitude_msl_meters.ifFinite
    speedMetersPerSecond = report.speed_meters_per_second.ifFinite
    courseDegrees = report.course_degrees.ifFinite
    isSimulated = report.status == Self.simulatedStatus
  }

  /// Horizontal error in metres: `eph` when gpsd gives it, else the errors of both axes together; nil when neither is
  /// a sensible number.
  static func horizontalError(eph: Double, epx: Double, epy: Double) -> Double? {
    if eph.isFinite, eph >= 0 { return eph }
    guard epx.isFinite, epy.isFinite, epx >= 0, epy >= 0 else { return nil }
    return hypot(epx, epy).ifFinite
  }
}

extension FixMode {
  /// The mode of a TPV; a number that the protocol does not know is ``unknown``.
  init(gpsdMode: Int32) {
    switch gpsdMode {
    case 1: self = .none
    case 2: self = .twoDimensional
    case 3: self = .threeDimensional
    default: self = .unknown
    }
  }
}

extension Double {
  fileprivate var ifFinite: Double? { isFinite ? self : nil }
}

/// Text of a C array of characters, up to its first zero; bytes that are no UTF-8 are replaced.
private func text<Characters>(of characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
