/// What a glucose reading is about: a tag from the list, or one's own.
public enum GlucoseTag: Hashable, Sendable {
  /// The tags of the list.
  public enum Listed: String, Hashable, Sendable, CaseIterable {
    /// Nothing eaten for eight hours.
    case fasting
    /// Before breakfast.
    case beforeBreakfast = "before-breakfast"
    /// After breakfast.
    case afterBreakfast = "after-breakfast"
    /// Before lunch.
    case beforeLunch = "before-lunch"
    /// After lunch.
    case afterLunch = "after-lunch"
    /// Before dinner.
    case beforeDinner = "before-dinner"
    /// After dinner.
    case afterDinner = "after-dinner"
    /// Before some meal.
    case beforeMeal = "before-meal"
    /// After some meal.
    case afterMeal = "after-meal"
    /// Before exercise.
    case beforeExercise = "before-exercise"
    /// After exercise.
    case afterExercise = "after-exercise"
    /// Before going to bed.
    case bedtime
    /// At night.
    case night
    /// At any time.
    case casual
  }

  /// Which side of a meal a reading is on.
  public enum MealRelation: String, Hashable, Sendable, CaseIterable {
    /// Before a meal, or fasting.
    case before
    /// After a meal.
    case after
  }

  /// One of the list.
  case listed(Listed)
  /// One's own words.
  case own(String)

  /// Characters of one's own tag.
  public static let ownAtMost = 50

  /// A tag from its word in the list, or from one's own words.
  public init(word: String) {
    self = Listed(rawValue: word).map(GlucoseTag.listed) ?? .own(word)
  }

  /// A tag as people write it: words of the list are found whatever their case and whether with spaces, `_` or `-`.
  ///
  /// Nil for a text that no tag can be: empty, too long, or with control characters.
  public init?(written text: String) {
    let blank: (Character) -> Bool = { $0.isWhitespace }
    var words = text[...]
    words = words.drop(while: blank)
    while let last = words.last, last.isWhitespace { words.removeLast() }
    let word = String(words.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
    self = Listed(rawValue: word).map(GlucoseTag.listed) ?? .own(String(words))
    guard isWellFormed else { return nil }
  }

  /// The word of the list, or one's own words.
  public var word: String {
    switch self {
    case .listed(let tag): tag.rawValue
    case .own(let words): words
    }
  }

  /// Whether one's own words are 1 through 50 characters that can be read, on one line.
  public var isWellFormed: Bool {
    guard case .own(let words) = self else { return true }
    let scalars = words.unicodeScalars
    return (1...Self.ownAtMost).contains(scalars.count) && words.contains { !$0.isWhitespace }
      && !scalars.contains { $0.properties.generalCategory == .control }
  }

  /// Which side of a meal; nil where the tag does not say. One's own words are never guessed at.
  public var mealRelation: MealRelation? {
    switch self {
    case .listed(.fasting), .listed(.beforeBreakfast), .listed(.beforeLunch),
      .listed(.beforeDinner), .listed(.beforeMeal):
      .before
    case .listed(.afterBreakfast), .listed(.afterLunch), .listed(.afterDinner),
      .listed(.afterMeal):
      .after
    case .listed(.beforeExercise), .listed(.afterExercise), .listed(.bedtime), .listed(.night),
      .listed(.casual), .own:
      nil
    }
  }
}
