import BlueZ
import Bytes
import Care
import Glibc
import Loop
import Ports
import Texts

/// Uses Bluetooth as the gateway does, and writes down what it hears: to be tried with a real bluetoothd and a radio.
///
///     homeward-bluetooth-probe [BUS]
///
/// Reads lines: `pair ADDRESS [PASSKEY]`, `passkey ADDRESS NUMBER`, `fetch ADDRESS` (the stored records of a glucose
/// meter), `forget ADDRESS`, `devices`. Ends with its input. One line for each thing that happens.
enum BluetoothProbe {
  static func run() {
    let bus = CommandLine.arguments.dropFirst().first
    EventLoop.shared.post { start(bus) }
    while let line = readLine() { EventLoop.shared.post { obey(line) } }
    EventLoop.shared.post {
      source?.stop()
      exit(0)
    }
    while true { pause() }
  }

  @LoopActor private static var source: BlueZSource?
  @LoopActor private static var link: (any BluetoothLink)?
  @LoopActor private static var records = 0

  @LoopActor
  private static func start(_ bus: String?) {
    var options = BlueZSource.Options()
    if let bus { options.busPath = bus }
    let source = BlueZSource(options: options)
    self.source = source
    source.start { say($0) }
  }

  @LoopActor
  private static func say(_ news: BluetoothNews) {
    switch news {
    case .sighting(let sighting):
      say("sighting \(sighting.address) \(sighting.rssi ?? 0) \(facts(sighting.advertisement))")
    case .presence(let presence): say("presence \(presence.address) \(presence.isNear)")
    case .adapters(let adapters):
      say("adapters \(adapters.map { "\($0.name)=\($0.condition.rawValue)" })")
    case .device(let device): say(device)
    case .question(let question): say("question \(question.address) \(question.kind)")
    case .refused(let refusal): say("refused \(refusal.wish.rawValue) \(refusal.message)")
    case .health(let report): say("health \(report.state.rawValue) \(report.code) \(report.detail)")
    }
  }

  @LoopActor
  private static func say(_ device: BluetoothDevice) {
    say(
      "device \(device.address) bonded=\(device.isBonded) connected=\(device.isConnected) "
        + "battery=\(device.batteryPercent ?? -1) \(device.name ?? "")")
  }

  private static func facts(_ advertisement: BluetoothAdvertisement) -> String {
    let manufacturer = advertisement.manufacturerData.sorted { $0.key < $1.key }.map {
      "\($0.key):\(Hexadecimal.text($0.value))"
    }
    let service = advertisement.serviceData.sorted { $0.key < $1.key }.map {
      "\($0.key):\(Hexadecimal.text($0.value))"
    }
    return "\(advertisement.name ?? "") \(manufacturer) \(service) \(advertisement.services)"
  }

  @LoopActor
  private static func obey(_ line: String) {
    let words = line.split(separator: " ")
    guard let source, let word = words.first else { return }
    if word == "devices" {
      for device in source.devices { say(device) }
      return
    }
    guard words.count > 1, let address = known(words[1]) else { return say("no such device") }
    let number = words.count > 2 ? UInt32(words[2]) : nil
    switch word {
    case "pair":
      source.pair(PairingRequest(address: address, passkey: number)) { say("pair", $0) }
    case "passkey": say("answered \(source.answer(.passkey(number ?? 0), for: address))")
    case "forget": source.forget(address) { say("forget", $0) }
    case "fetch": source.connect(to: address) { connected($0) }
    default: say("unknown word \(word)")
    }
  }

  @LoopActor
  private static func known(_ text: Substring) -> BluetoothAddress? {
    source?.devices.first { $0.address.text == text }?.address
  }

  @LoopActor
  private static func connected(_ result: Result<any BluetoothLink, BluetoothFailure>) {
    guard case .success(let made) = result else { return say("connect", result.map { _ in }) }
    link = made
    records = 0
    made.onLost = { say("lost") }
    say("connected \(made.services.map(\.uuid))")
    subscribe([0x2A18, 0x2A34, 0x2A52][...])
  }

  @LoopActor
  private static func id(_ short: UInt16) -> GATTCharacteristicID {
    let all = link?.services.flatMap(\.characteristics) ?? []
    return all.first { $0.uuid == BluetoothUUID(short) }?.id ?? "none"
  }

  @LoopActor
  private static func subscribe(_ rest: ArraySlice<UInt16>) {
    guard let short = rest.first else {
      link?.write([1, 1], to: id(0x2A52), withResponse: true) { say("write", $0) }
      return
    }
    link?.subscribe(
      to: id(short),
      heard: { octets in
        say("heard \(BluetoothUUID(short)) \(Hexadecimal.text(octets))")
        if short == 0x2A52 { link?.disconnect() }
      },
      completion: { result in
        say("subscribe \(BluetoothUUID(short))", result)
        if case .success = result { subscribe(rest.dropFirst()) } else { link?.disconnect() }
      })
  }

  private static func say(_ what: String, _ result: Result<Void, BluetoothFailure>) {
    switch result {
    case .success: say("\(what) done")
    case .failure(let failure): say("\(what) failed \(failure.code.rawValue) \(failure.message)")
    }
  }

  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
  }
}
