public import GlucoseValues
public import Texts

extension GlucoseTag {
  /// What people read; one's own words stand as they are.
  public var name: Message {
    switch self {
    case .listed(let tag): tag.name
    case .own(let words): Message(verbatim: words)
    }
  }
}

extension GlucoseTag.Listed {
  /// What people read.
  public var name: Message {
    switch self {
    case .fasting: Message("fasting", context: "glucose tag")
    case .beforeBreakfast: Message("before breakfast", context: "glucose tag")
    case .afterBreakfast: Message("after breakfast", context: "glucose tag")
    case .beforeLunch: Message("before lunch", context: "glucose tag")
    case .afterLunch: Message("after lunch", context: "glucose tag")
    case .beforeDinner: Message("before dinner", context: "glucose tag")
    case .afterDinner: Message("after dinner", context: "glucose tag")
    case .beforeMeal: Message("before a meal", context: "glucose tag")
    case .afterMeal: Message("after a meal", context: "glucose tag")
    case .beforeExercise: Message("before exercise", context: "glucose tag")
    case .afterExercise: Message("after exercise", context: "glucose tag")
    case .bedtime: Message("at bedtime", context: "glucose tag")
    case .night: Message("at night", context: "glucose tag")
    case .casual: Message("at any time", context: "glucose tag")
    }
  }
}
