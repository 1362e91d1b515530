import Care
import Glibc
import Loudspeaker
import Moments
import TestSupport

/// A sound card that takes every frame at once: alsa-lib's `null` device.
struct NullCard {
  private let directory: TemporaryDirectory

  /// Has alsa-lib know the card and no other, in this process.
  init() throws {
    directory = try TemporaryDirectory()
    setenv(
      "ALSA_CONFIG_PATH", try directory.write("pcm.nothing { type null }\n", to: "asound.conf"), 1)
  }

  /// A speaker on the card; `onFirstFrame` is called when the first frames of a sound were handed to it.
  func speaker(onFirstFrame: @escaping @Sendable (SoundID, Tick) -> Void) -> ALSASpeaker {
    var options = ALSASpeakerOptions(device: "nothing", mixerElements: [], playsSelfTest: false)
    options.onFirstFrame = onFirstFrame
    return ALSASpeaker(options)
  }
}
