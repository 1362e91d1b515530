public import Bytes

/// One value of the Glucose Measurement Context characteristic (0x2A34), notified.
///
///     offset  0  1..2  3    4..6     7     8       9..11      12..14    15.16
///     field   F  seq   ext  carb     meal  tester  exercise   medic.    HbA1c
///     bytes   ff 0000  b3   03 6400  04    12      3c00 32    04 7b00   59f1
///
/// `F` has a bit for each field in another order: 0 carbohydrate, 1 meal, 2 tester and health, 3 exercise, 4
/// medication, 5 medication in litres and not in kilograms, 6 HbA1c, 7 extended flags. It belongs to the measurement
/// with the same sequence number and to no other. Octets behind the last field are ignored.
///
/// - Source: Bluetooth Glucose Service 1.0.1, section 3.2.
public struct GlucoseContext: Hashable, Sendable {
  /// A code with an amount.
  public struct Amount: Hashable, Sendable {
    /// What.
    public var code: UInt8
    /// How much.
    public var amount: SFLOAT
    /// What and how much.
    public init(code: UInt8, amount: SFLOAT) {
      self.code = code
      self.amount = amount
    }
  }

  /// How long and how hard somebody moved.
  public struct Exercise: Hashable, Sendable {
    /// Seconds; 65,535 for more than can be said.
    public var seconds: UInt16
    /// Percent.
    public var intensityPercent: UInt8
    /// Duration and intensity.
    public init(seconds: UInt16, intensityPercent: UInt8) {
      self.seconds = seconds
      self.intensityPercent = intensityPercent
    }
  }

  /// The meal that a measurement stands near.
  public enum Meal: UInt8, Hashable, Sendable, CaseIterable {
    /// Before a meal.
    case before = 1
    /// After a meal.
    case after = 2
    /// Fasting.
    case fasting = 3
    /// Snacks, drinks and so on.
    case casual = 4
    /// At bedtime.
    case bedtime = 5
  }

  /// The meal's code by which some meters say that they measured ketones; reserved in the specification.
  ///
  /// - Source: xDrip's quirks of CareSens Dual.
  public static let ketoneMealCode: UInt8 = 6

  /// Sequence number of the measurement that it belongs to.
  public var sequence: UInt16
  /// Flags without a meaning yet.
  public var extendedFlags: UInt8?
  /// What was eaten: 1 breakfast, 2 lunch, 3 dinner, 4 snack, 5 drink, 6 supper, 7 brunch; in kilograms.
  public var carbohydrate: Amount?
  /// Code of the meal.
  public var mealCode: UInt8?
  /// Who tested, in the lower half: 1 self, 2 professional, 3 laboratory, 15 not said; health in the upper half: 1
  /// minor issue, 2 major issue, 3 menses, 4 stress, 5 none, 15 not said.
  public var testerAndHealth: UInt8?
  /// How somebody moved.
  public var exercise: Exercise?
  /// What was taken: 1 rapid, 2 short, 3 intermediate, 4 long acting, 5 premixed.
  public var medication: Amount?
  /// Whether medication is in litres, not in kilograms.
  public var isMedicationInLitres: Bool
  /// Percent of glycated haemoglobin.
  public var hba1cPercent: SFLOAT?

  /// A context from its parts.
  public init(
    sequence: UInt16, carbohydrate: Amount? = nil, mealCode: UInt8? = nil,
    testerAndHealth: UInt8? = nil, exercise: Exercise? = nil, medication: Amount? = nil,
    isMedicationInLitres: Bool = false, hba1cPercent: SFLOAT? = nil, extendedFlags: UInt8? = nil
  ) {
    self.sequence = sequence
    self.extendedFlags = extendedFlags
    self.carbohydrate = carbohydrate
    self.mealCode = mealCode
    self.testerAndHealth = testerAndHealth
    self.exercise = exercise
    self.medication = medication
    self.isMedicationInLitres = isMedicationInLitres
    self.hba1cPercent = hba1cPercent
  }

  /// Reads the octets of a notification.
  ///
  /// - Throws: ``DecodeError`` where they end before what the flags promise.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    let flags = try reader.byte("flags")
    sequence = try reader.word("sequence")
    extendedFlags = flags & 0x80 != 0 ? try reader.byte("extendedFlags") : nil
    carbohydrate = flags & 0x01 != 0 ? try reader.amount("carbohydrate") : nil
    mealCode = flags & 0x02 != 0 ? try reader.byte("meal") : nil
    testerAndHealth = flags & 0x04 != 0 ? try reader.byte("testerAndHealth") : nil
    if flags & 0x08 != 0 {
      exercise = Exercise(
        seconds: try reader.word("exerciseDuration"),
        intensityPercent: try reader.byte("exerciseIntensity"))
    }
    medication = flags & 0x10 != 0 ? try reader.amount("medication") : nil
    isMedicationInLitres = flags & 0x20 != 0
    hba1cPercent = flags & 0x40 != 0 ? try reader.float("hba1c") : nil
  }

  /// The octets as a meter sends them.
  public var octets: [UInt8] {
    let present: [(Bool, UInt8)] = [
      (carbohydrate != nil, 0x01), (mealCode != nil, 0x02), (testerAndHealth != nil, 0x04),
      (exercise != nil, 0x08), (medication != nil, 0x10), (isMedicationInLitres, 0x20),
      (hba1cPercent != nil, 0x40), (extendedFlags != nil, 0x80),
    ]
    var octets = [present.reduce(0) { $1.0 ? $0 | $1.1 : $0 }]
    octets.append(word: sequence)
    if let extendedFlags { octets.append(extendedFlags) }
    if let carbohydrate { octets.append(amount: carbohydrate) }
    if let mealCode { octets.append(mealCode) }
    if let testerAndHealth { octets.append(testerAndHealth) }
    if let exercise {
      octets.append(word: exercise.seconds)
      octets.append(exercise.intensityPercent)
    }
    if let medication { octets.append(amount: medication) }
    if let hba1cPercent { octets.append(hba1cPercent) }
    return octets
  }

  /// The meal; nil when not said, and for reserved codes.
  public var meal: Meal? { mealCode.flatMap(Meal.init) }

  /// Whether the meter says by the meal's code that it measured ketones.
  public var saysKetone: Bool { mealCode == Self.ketoneMealCode }
}

extension ByteReader {
  fileprivate mutating func amount(
    _ field: String
  ) throws(DecodeError) -> GlucoseContext.Amount {
    GlucoseContext.Amount(code: try byte("\(field)Code"), amount: try float(field))
  }
}

extension [UInt8] {
  fileprivate mutating func append(amount: GlucoseContext.Amount) {
    append(amount.code)
    append(amount.amount)
  }
}
