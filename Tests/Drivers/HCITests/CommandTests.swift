import Advertisements
import Bytes
import Care
import Testing

@testable import homeward_hci

/// The words between this program and a controller, byte by byte as the Bluetooth Core Specification has them.
@Suite struct CommandTests {
  @Test(arguments: [
    (HCICommand.readSupportedCommands, "01021000"),
    (.readFeatures, "01032000"),
    (.setScanParameters(isExtended: false), "010b20070060006000" + "0000"),
    (.setScanEnable(true, isExtended: false), "010c20020100"),
    (.setScanEnable(false, isExtended: false), "010c20020000"),
    (.setScanParameters(isExtended: true), "014120080000010060006000"),
    (.setScanEnable(true, isExtended: true), "01422006010000000000"),
    (.setScanEnable(false, isExtended: true), "01422006000000000000"),
  ])
  func aCommandIsSentAsSpecified(_ command: HCICommand, _ bytes: String) {
    #expect(Hexadecimal.text(command.packet) == bytes)
  }

  @Test func theEndOfACommandIsRead() {
    #expect(Self.event("040e04010c2000") == .completed(opcode: 0x200C, status: 0, answer: []))
    #expect(
      Self.event("040e0501032000ff") == .completed(opcode: 0x2003, status: 0, answer: [0xFF]))
    #expect(Self.event("040f0401010c20") == .completed(opcode: 0x200C, status: 1, answer: []))
    #expect(Self.event("040f0400010c20") == .other, "the end is still to come")
    #expect(Self.event("0410012a") == .brokeDown)
    #expect(Self.event("04fd060100020000" + "00") == .adapterChanged)
  }

  @Test func anAdvertisementIsRead() throws {
    let event = Self.event(
      "043e16020100" + "01a5808fe64854" + "0a" + "0201060609" + "0102030405" + "cc")
    guard case .heard(let reports) = event, let report = reports.first else {
      Issue.record("\(event)")
      return
    }
    #expect(report.address == BluetoothAddress("54:48:E6:8F:80:A5", kind: .random))
    #expect(report.rssiDBm == -52)
    #expect(Hexadecimal.text(report.bytes) == "02010606090102030405")
  }

  @Test(arguments: [
    "", "04", "040e", "040e04", "040e04010c20", "040e03010000", "040e020100", "0410", "043e00",
    "043e0202ff", "020e04010c2000", "04ffff", "040f00",
  ])
  func whatIsNoWholeEventIsNothing(_ text: String) {
    let event = Self.event(text)
    #expect(event == .other || event == .heard([]))
  }

  private static func event(_ text: String) -> HCIEvent {
    HCIEvent(Hexadecimal.bytes(text) ?? [])
  }
}

@Suite struct ScanDriveTests {
  /// The answer to Read Local Supported Commands: old words, new ones, or both.
  private static func commands(old: Bool, new: Bool) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: 64)
    if old { octets[26] = 0x0C }
    if new { octets[37] = 0x60 }
    return octets
  }
  private static let extendedFeatures: [UInt8] = [0, 0x10, 0, 0, 0, 0, 0, 0]

  /// Answers one command after another, and gives what was sent.
  private static func run(
    commands: [UInt8], features: [UInt8] = extendedFeatures, refusing: [HCICommand: UInt8] = [:]
  ) -> (sent: [HCICommand], last: ScanDrive.Outcome) {
    var drive = ScanDrive()
    var sent = [drive.begin()]
    while sent.count < 30, let command = sent.last {
      let answer: [UInt8] =
        switch command {
        case .readSupportedCommands: commands
        case .readFeatures: features
        case .setScanParameters, .setScanEnable: []
        }
      let outcome = drive.take(
        opcode: command.opcode, status: refusing[command] ?? 0, answer: answer)
      guard case .send(let next) = outcome else { return (sent, outcome) }
      sent.append(next)
    }
    return (sent, .nothing)
  }

  private static func scan(isExtended: Bool) -> [HCICommand] {
    [
      .setScanEnable(false, isExtended: isExtended), .setScanParameters(isExtended: isExtended),
      .setScanEnable(true, isExtended: isExtended),
    ]
  }

  @Test func aControllerOfBluetooth4GetsItsWords() {
    let (sent, last) = Self.run(commands: Self.commands(old: true, new: false))
    #expect(sent == [.readSupportedCommands] + Self.scan(isExtended: false))
    #expect(last == .listening)
  }

  @Test(arguments: [true, false])
  func aControllerOfBluetooth5GetsItsWords(hasOldToo: Bool) {
    let (sent, last) = Self.run(commands: Self.commands(old: hasOldToo, new: true))
    #expect(sent == [.readSupportedCommands, .readFeatures] + Self.scan(isExtended: true))
    #expect(last == .listening)
  }

  @Test func theFeatureDecidesWhereTheCommandsAreThere() {
    let (sent, _) = Self.run(
      commands: Self.commands(old: true, new: true), features: [0xFF, 0xEF, 0, 0, 0, 0, 0, 0])
    #expect(sent == [.readSupportedCommands, .readFeatures] + Self.scan(isExtended: false))
  }

  @Test func oneThatDoesNotTellItsCommandsGetsTheOldWords() {
    let (sent, last) = Self.run(commands: [], refusing: [.readSupportedCommands: 0x01])
    #expect(sent == [.readSupportedCommands] + Self.scan(isExtended: false))
    #expect(last == .listening)
  }

  @Test func oneThatIsHeldToTheOtherWordsGetsThose() {
    let (sent, last) = Self.run(
      commands: Self.commands(old: true, new: true),
      refusing: [
        .setScanEnable(false, isExtended: true): 0x0C, .setScanParameters(isExtended: true): 0x0C,
      ])
    #expect(
      sent == [
        .readSupportedCommands, .readFeatures, .setScanEnable(false, isExtended: true),
        .setScanParameters(isExtended: true),
      ] + Self.scan(isExtended: false))
    #expect(last == .listening)
  }

  @Test func oneThatRefusesBothIsNotAskedForEver() {
    let (sent, last) = Self.run(
      commands: Self.commands(old: true, new: true),
      refusing: [
        .setScanParameters(isExtended: true): 0x0C, .setScanParameters(isExtended: false): 0x0C,
      ])
    #expect(sent.count == 6)
    #expect(last == .refused(.setScanParameters(isExtended: false), status: 0x0C))
  }

  @Test func anyOtherRefusalIsToldAtOnce() {
    let (_, last) = Self.run(
      commands: Self.commands(old: true, new: false),
      refusing: [.setScanEnable(true, isExtended: false): 0x12])
    #expect(last == .refused(.setScanEnable(true, isExtended: false), status: 0x12))
  }

  @Test func somebodyElsesCommandsAreNotTakenForOurs() {
    var drive = ScanDrive()
    _ = drive.begin()
    #expect(drive.take(opcode: 0x0C03, status: 0, answer: []) == .nothing)
    #expect(drive.awaited == .readSupportedCommands)
  }

  @Test(arguments: [UInt16(0x0C03), 0x200C, 0x2042])
  func oneThatListensIsDisturbedByAResetAndByAnotherScan(_ opcode: UInt16) {
    var drive = ScanDrive()
    var next = drive.begin()
    while case .send(let command) = drive.take(opcode: next.opcode, status: 0, answer: []) {
      next = command
    }
    #expect(drive.isListening)
    #expect(drive.take(opcode: 0x0C14, status: 0, answer: []) == .nothing)
    #expect(drive.take(opcode: opcode, status: 0, answer: []) == .disturbed)
    #expect(!drive.isListening)
  }
}

@Suite struct FragmentTests {
  private static let address = BluetoothAddress("C0:11:22:33:44:55", kind: .random)

  private static func report(
    _ bytes: [UInt8], _ completeness: AdvertisingReport.Completeness, set: UInt8 = 1
  ) -> AdvertisingReport {
    var report = AdvertisingReport(
      address: address, properties: [], rssiDBm: -60, data: AdvertisingData(bytes))
    report.bytes = bytes
    report.completeness = completeness
    report.setID = set
    return report
  }

  @Test func piecesAreJoinedBySenderAndSet() throws {
    let address = try #require(Self.address)
    var fragments = Fragments()
    #expect(fragments.take(Self.report([1, 2], .moreFollows), from: address) == nil)
    #expect(fragments.take(Self.report([9], .complete, set: 2), from: address) == [9])
    #expect(fragments.take(Self.report([3], .moreFollows), from: address) == nil)
    #expect(fragments.take(Self.report([4], .complete), from: address) == [1, 2, 3, 4])
    #expect(fragments.take(Self.report([5], .cutOff), from: address) == [5])
  }

  @Test func aChainWithoutEndIsCutOff() throws {
    let address = try #require(Self.address)
    var fragments = Fragments()
    let piece = [UInt8](repeating: 7, count: 229)
    var counts: [Int] = []
    for _ in 0..<20 {
      if let whole = fragments.take(Self.report(piece, .moreFollows), from: address) {
        counts.append(whole.count)
      }
    }
    #expect(counts == [1650, 1650])
  }
}

@Suite struct LaunchOptionTests {
  @Test func theUsual() throws {
    let options = try LaunchOptions(arguments: [])
    #expect(options.adapterName == "hci0")
    #expect(options.socketPath == "/run/homeward-hci/hci.sock")
    #expect(options.endWhenDownSeconds == nil)
    #expect(options.textToPrint == nil)
  }

  @Test func allOfThem() throws {
    let options = try LaunchOptions(
      arguments: ["--adapter", "hci12", "--socket", "/x", "--silence", "7", "--end-when-down", "5"])
    #expect(options.adapter == 12)
    #expect(options.socketPath == "/x")
    #expect(options.silenceSeconds == 7)
    #expect(options.endWhenDownSeconds == 5)
    #expect(
      try LaunchOptions(arguments: ["--version"]).textToPrint == "homeward-hci \(Release.version)\n"
    )
    #expect(try LaunchOptions(arguments: ["-h"]).textToPrint?.contains("--end-when-down") == true)
  }

  @Test(arguments: [
    ["--adaptor"], ["--adapter"], ["--adapter", "0"], ["--adapter", "hci"], ["--adapter", "hci-1"],
    ["--adapter", "hci00"], ["--adapter", "hci65535"], ["--adapter", "wlan0"], ["--silence", "0"],
    ["--silence", "x"], ["--end-when-down", "-1"], ["extra"],
  ])
  func nonsenseIsRefused(_ arguments: [String]) {
    #expect(throws: LaunchOptions.Fault.self) { try LaunchOptions(arguments: arguments) }
  }
}
