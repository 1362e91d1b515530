public import Care

/// Light or sound that is on and off by turns.
public struct LampPattern: Hashable, Sendable {
  /// One stretch of on or off.
  public struct Step: Hashable, Sendable {
    /// Whether it is on.
    public var isOn: Bool
    /// How long, in milliseconds; over 0.
    public var milliseconds: Int64
  }

  /// The steps, repeated for ever; a single one is steady.
  public let steps: [Step]

  /// Always on or always off.
  public static func steady(_ isOn: Bool) -> LampPattern {
    LampPattern(steps: [Step(isOn: isOn, milliseconds: 1000)])
  }

  /// On and off by turns, beginning with on.
  static func blinking(_ milliseconds: Int64...) -> LampPattern {
    LampPattern(
      steps: milliseconds.enumerated().map {
        Step(isOn: $0.offset.isMultiple(of: 2), milliseconds: $0.element)
      })
  }

  /// What the lamp does for a signal.
  public static func pattern(for signal: LampSignal) -> LampPattern {
    switch signal {
    case .off: steady(false)
    case .pressed: steady(true)
    case .stored: blinking(1000, 1000)
    case .sent: blinking(150, 150, 150, 1050)
    case .delivered: blinking(150, 150, 150, 150, 150, 750)
    case .acknowledged: steady(true)
    case .failed: blinking(100, 100)
    }
  }

  /// What the buzzer does in an emergency: three pulses and two, as the alarms of medical devices sound.
  public static let emergencyBuzzer = blinking(144, 79, 144, 79, 144, 244, 144, 79, 144, 1000)

  /// Whether nothing ever changes.
  public var isSteady: Bool { steps.count < 2 }

  /// The on and off times when these two are all, for the kernel's own timer.
  var simpleBlink: (onMilliseconds: Int64, offMilliseconds: Int64)? {
    guard steps.count == 2, let on = steps.first, let off = steps.last, on.isOn, !off.isOn else {
      return nil
    }
    return (on.milliseconds, off.milliseconds)
  }
}
