import CALSA
import Glibc

/// Puts a card's volume to the emergency level and back again.
final class EmergencyMixer {
  private let handle: OpaquePointer?
  private let elements: [String]
  private let percent: Int32
  private var kept: [(element: String, level: homeward_level)] = []
  private(set) var isRaised = false

  init(_ options: ALSASpeakerOptions) {
    var error: Int32 = 0
    elements = options.mixerElements
    percent = Int32(options.emergencyLevelPercent)
    handle = elements.isEmpty ? nil : homeward_mixer_open(options.resolvedMixerCard, &error)
  }

  deinit {
    restore()
    if let handle { homeward_mixer_close(handle) }
  }

  /// Raises what the card has of the elements; answers the first that refuses, with its errno.
  func raise() -> (element: String, code: Int32)? {
    guard let handle, !isRaised else { return nil }
    isRaised = true
    var refusal: (String, Int32)?
    for element in elements {
      var level = homeward_level()
      switch homeward_mixer_raise(handle, element, percent, &level) {
      case -ENOENT: continue
      case let error where error < 0: refusal = refusal ?? (element, -error)
      default: break
      }
      kept.append((element, level))
    }
    return refusal
  }

  /// Puts everything back to what it was before ``raise()``.
  func restore() {
    guard let handle, isRaised else { return }
    for (element, level) in kept.reversed() {
      withUnsafePointer(to: level) { _ = homeward_mixer_restore(handle, element, $0) }
    }
    kept = []
    isRaised = false
  }
}
