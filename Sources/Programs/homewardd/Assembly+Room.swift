import CivilTime
import Configuration
import Credentials
import Glibc
import JSON
import Loop
import MachineClock
import Moments
import PictureStore
import Plugins
import Ports
import Runtime
import SpokenSentences

extension Assembly {
  /// Sentences below the state directory, rendered by whichever plugin speaks.
  static func makeSentences(
    _ configuration: GatewayConfiguration, plugins: PluginHost, services: PluginServices
  ) -> SentenceCache {
    let voice = plugins.settings(ofWhoOffers: "speech") ?? .null
    // Where there is no state directory the plugin has its folder in memory, and so have its sentences.
    let isThere = access(configuration.gateway.state, X_OK) == 0
    let root = isThere ? configuration.gateway.state : configuration.gateway.runtime
    return SentenceCache(
      folder: "\(root)/speech", pluginState: "\(root)/plugins",
      voice: String(decoding: voice.serializedBytes, as: UTF8.self),
      services: services)
  }

  /// What sounds and shines in the room, and what reaches people.
  static func makeRoom(
    _ configuration: GatewayConfiguration, devices: Devices, services: PluginServices,
    sentences: SentenceCache, clock: SystemClock
  ) -> GatewayRuntime.Room {
    var room = GatewayRuntime.Room()
    room.speaker = devices.speaker
    room.lamp = devices.lamp
    room.buzzer = devices.buzzer
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
