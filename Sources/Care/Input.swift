public import CivilTime
public import Moments

/// One thing that an engine is told.
public enum Input: Hashable, Sendable {
  /// The gateway started; what was open goes on.
  case started(version: String)
  /// The tick that the engine asked for has come; harmless at any other time.
  case time
  /// The rules of a time zone that somebody lives by; nil where they cannot be read.
  case rules(of: String, CivilTimeZone?)
  /// What is known of the house changed.
  case changed(HouseChange)
  /// A device, a plugin or the gateway itself saw something.
  case observed(Observation)
  /// Another engine told something in this step.
  case signalled(Signal)
  /// A person or a backend asks for something; `sent` is when they did.
  case asked(Command, sent: Tick)
  /// A hand did something with a button, and means one thing by it.
  case pressed(Press)
  /// All engines are there, and nothing has happened yet: what others show can be looked at. Nothing follows from it.
  case arranged
  /// All of the above has happened in this step, from what `after` says: what it all came to can be judged.
  case settled(after: Cause)

  /// What a step came from.
  public enum Cause: Hashable, Sendable {
    /// The start.
    case start
    /// What somebody asked.
    case command(Command)
    /// Time that passed.
    case wake
    /// What was observed.
    case observation(Observation)
  }
}

/// What of the house is another.
public enum HouseChange: Hashable, Sendable {
  /// A resident came, or changed.
  case resident(ResidentID)
  /// A resident was erased: everything about them is forgotten.
  case erased(ResidentID)
  /// Guardians came, went or changed.
  case guardians
  /// Zones of a resident came, went or changed; `edit` is what somebody asked for.
  case zones(ResidentID, edit: ZoneEdit)
  /// A setting of a resident changed.
  case setting(ResidentID, name: String)
  /// A resident was asked whether something may be used, and answered.
  case consent(Consent)
  /// The rules of a time zone became known, or cannot be read.
  case timeZone(String)
  /// The wall clock was set, or became trusted, or lost trust.
  case clock
}

/// A change of a safe zone, and who made it.
public struct ZoneEdit: Hashable, Sendable {
  /// How a zone changed, as far as safety is concerned.
  public enum Change: String, Hashable, Sendable, CaseIterable {
    /// There is one more.
    case added
    /// It has a smaller radius.
    case shrunk
    /// It has a larger radius.
    case enlarged
    /// It lies elsewhere.
    case moved
    /// It has another border.
    case reshaped
    /// It is gone.
    case removed
    /// It has another margin.
    case marginChanged = "margin-changed"
    /// It counts at other hours.
    case hoursChanged = "hours-changed"
    /// Leaving it is an alarm of its own from now on.
    case alarmOnLeaving = "alarm-on-leaving"
    /// Leaving it is none of its own any more.
    case noAlarmOnLeaving = "no-alarm-on-leaving"

    /// The most telling difference; nil when only words changed.
    public init?(from old: SafeZone?, to new: SafeZone) {
      guard let old else {
        self = .added
        return
      }
      if old.polygon != new.polygon {
        self = .reshaped
      } else if old.center != new.center {
        self = .moved
      } else if new.radiusMeters < old.radiusMeters {
        self = .shrunk
      } else if new.radiusMeters > old.radiusMeters {
        self = .enlarged
      } else if old.exitMarginMeters != new.exitMarginMeters {
        self = .marginChanged
      } else if old.hours != new.hours {
        self = .hoursChanged
      } else if old.alarmsOnLeaving != new.alarmsOnLeaving {
        self = new.alarmsOnLeaving ? .alarmOnLeaving : .noAlarmOnLeaving
      } else {
        return nil
      }
    }
  }

  /// The zone as it is, or was when it was removed.
  public var zone: SafeZone
  /// How it changed; nil when only words did.
  public var change: Change?
  /// Who changed it.
  public var principal: Principal
  /// The name of the account by which they did; nil for none.
  public var account: String?

  /// A change from its parts.
  public init(zone: SafeZone, change: Change?, principal: Principal, account: String? = nil) {
    self.zone = zone
    self.change = change
    self.principal = principal
    self.account = account
  }
}

/// What a hand means by what it did with a button.
///
/// A press is offered to the engines in their order until one takes it: what asks or sounds is answered first.
public struct Press: Hashable, Sendable {
  /// What is meant.
  public enum Meaning: Hashable, Sendable {
    /// The button went down, got stuck or came loose; nothing is meant yet.
    case state
    /// Help is needed.
    case help
    /// "Yes", "I heard it", "be quiet": whatever asks or sounds is answered or silenced.
    case yes
    /// "No", "not now", "it is nothing".
    case no
    /// Nothing asks or sounds: what the button brings about.
    case command(ButtonCommand)
  }

  /// What the hand did.
  public var report: ButtonReport
  /// Whose button it is, and what it brings about.
  public var binding: ButtonBinding
  /// Who presses: the owner of the button, or the first resident where it is everybody's; nil where nobody knows.
  public var resident: ResidentID?
  /// Whose button it is without doubt; nil where nobody knows.
  public var owner: ResidentID?
  /// What is meant.
  public var meaning: Meaning

  /// A press from its parts.
  public init(
    report: ButtonReport, binding: ButtonBinding, resident: ResidentID?, owner: ResidentID?,
    meaning: Meaning
  ) {
    self.report = report
    self.binding = binding
    self.resident = resident
    self.owner = owner
    self.meaning = meaning
  }

  /// What may be meant by what a hand did, the first that somebody takes.
  public static func meanings(of report: ButtonReport, in house: House) -> [Press] {
    let binding =
      house.buttons.first { $0.button == report.button } ?? ButtonBinding(button: report.button)
    let owner = house.owner(of: binding)
    let isEverybodys = binding.resident == nil && binding.caregiver == nil
    let resident = owner ?? (isEverybodys ? house.sortedResidents.first?.id : nil)
    return Self.meanings(of: report.gesture, binding).map {
      Press(report: report, binding: binding, resident: resident, owner: owner, meaning: $0)
    }
  }

  /// A hold is an SOS, always and everywhere, whoever's button it is.
  private static func meanings(of gesture: ButtonGesture, _ binding: ButtonBinding) -> [Meaning] {
    switch gesture {
    case .down, .stuck, .loose: [.state]
    case .hold: [.help]
    case .press: meanings(of: binding.press)
    case .double: [.no] + meanings(of: binding.double)
    case .triple: meanings(of: binding.triple)
    }
  }

  private static func meanings(of command: ButtonCommand) -> [Meaning] {
    switch command {
    case .none: []
    case .sos: [.help]
    case .assist: [.yes, .command(.assist)]
    case .fakeCall, .acknowledge, .takeHome, .photograph: [.command(command)]
    }
  }

  /// Who asks for what the press brings about.
  public var principal: Principal {
    Principal(channel: .gateway, name: "button/\(binding.button)")
  }
}

extension House {
  /// The resident whom a button is for: named, or their caregiver's, or the only one; nil where nobody knows.
  public func owner(of binding: ButtonBinding) -> ResidentID? {
    if let resident = binding.resident { return residents[resident]?.id }
    if let caregiver = binding.caregiver { return guardian(caregiver)?.resident }
    return residents.count == 1 ? residents.keys.first : nil
  }
}
