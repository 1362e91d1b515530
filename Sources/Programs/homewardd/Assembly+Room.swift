import Buttons
import Care
import CivilTime
import Compass
import Configuration
import Credentials
import GPIOLines
import Gestures
import Glibc
import JSON
import Lamps
import Loop
import Loudspeaker
import MachineClock
import Moments
import PictureStore
import Ports
import Runtime
import SpokenSentences

extension Assembly {
  /// Sentences below the state directory, rendered by whichever plugin speaks.
  static func makeSentences(
    _ configuration: GatewayConfiguration, services: PluginServices
  ) -> SentenceCache {
    let speech = configuration.plugins.enabled.first { $0.name == "speech" }
    // Where there is no state directory the plugin has its folder in memory, and so have its sentences.
    let isThere = access(configuration.gateway.state, X_OK) == 0
    let root = isThere ? configuration.gateway.state : configuration.gateway.runtime
    return SentenceCache(
      folder: "\(root)/speech", pluginState: "\(root)/plugins",
      voice: String(decoding: (speech?.settings ?? .null).serializedBytes, as: UTF8.self),
      services: services)
  }

  /// What sounds and shines in the room, and what reaches people.
  static func makeRoom(
    _ configuration: GatewayConfiguration, services: PluginServices, sentences: SentenceCache,
    clock: SystemClock
  ) -> GatewayRuntime.Room {
    var room = GatewayRuntime.Room()
    room.speaker = ALSASpeaker(configuration.sound.speakerOptions)
    if let lamp = makeLamp(configuration.lamp) {
      room.lamp = lamp
      room.buzzer = { lamp.setBuzzer(isOn: $0) }
    }
    room.renderer = sentences
    room.services = services
    room.pictures = PictureFolder(root: "\(configuration.gateway.state)/photos")
    room.notePictures = NotePictureFolder(root: "\(configuration.gateway.state)/pictures")
    room.recordings = RecordingFolder(root: "\(configuration.gateway.state)/recordings")
    room.credentials = SecretHasher()
    room.timeZoneFile = { try? TimeZoneFile.contents(name: $0) }
    room.clockSentence = { zone, language in
      let now = clock.now()
      guard now.quality.isTrusted else { return nil }
      return try? SpokenClock.sentence(at: now.utc, timeZone: zone, language: language)
    }
    return room
  }
}

extension Assembly {
  /// The buttons of the configuration.
  static func makeButtons(_ configuration: GatewayConfiguration) -> [any ObservationSource] {
    configuration.buttons.compactMap { button in
      guard let device = button.device else { return nil }
      let times = GestureTimes(holdMilliseconds: Int64(button.holdSeconds) * 1000)
      return ButtonSource(
        options: ButtonSource.Options(id: SourceID(button.name), device: device, times: times))
    }
  }

  /// The compass of this machine, which moves with the first receiver that is plugged into it.
  static func makeCompass(_ configuration: GatewayConfiguration) -> [any ObservationSource] {
    let own = configuration.gps.first { $0.host.hasPrefix("127.") || $0.host == "::1" }
    return own.map { [CompassSource(movingWith: SourceID($0.name))] } ?? []
  }

  /// The lamp, when there is a light or a buzzer.
  private static func makeLamp(_ lamp: GatewayConfiguration.Lamp) -> StatusLamp? {
    let light =
      lamp.gpio.gpioLine.map { StatusLamp.Options.Light.gpio($0) }
      ?? lamp.led.map { StatusLamp.Options.Light.led($0) }
    let buzzer = lamp.buzzer.gpioLine
    guard light != nil || buzzer != nil else { return nil }
    return StatusLamp(options: StatusLamp.Options(light: light, buzzer: buzzer))
  }
}

extension GatewayConfiguration.Line {
  /// The line as the driver knows it; nil when none is used.
  fileprivate var gpioLine: GPIOLine? {
    guard let line else { return nil }
    let resistor: GPIOLine.Bias =
      switch bias {
      case .asIs: .asIs
      case .disabled: .disabled
      case .pullUp: .pullUp
      case .pullDown: .pullDown
      }
    return GPIOLine(chip: chip ?? "", line: line, isActiveLow: isActiveLow, bias: resistor)
  }
}

extension GatewayConfiguration.Button {
  /// Whether the gateway watches it itself, and no plugin does.
  var isOwn: Bool { device != nil || bluetooth.address != nil }

  /// What the button is made of; nil when the configuration names nothing.
  fileprivate var device: ButtonSource.Options.Device? {
    if let line = gpio.gpioLine { return .gpio(line) }
    return input.device.map { .input(InputDevice(device: $0, keys: input.keys)) }
  }
}

extension GatewayConfiguration.Sound {
  /// What the speaker makes of it.
  var speakerOptions: ALSASpeakerOptions {
    ALSASpeakerOptions(
      isEnabled: isEnabled, device: device, mixerCard: mixerCard, mixerElements: mixerElements,
      emergencyLevelPercent: emergencyLevelPercent, playsSelfTest: playsSelfTest)
  }
}
