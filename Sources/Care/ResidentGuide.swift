import Texts

/// The manual of the person who is looked after (PR-8): few short sentences, one action each, to be read or spoken.
///
/// Their words are those that the room uses too; nothing in it needs sight, a screen or memory of what was said before.
public enum ResidentGuide {
  /// Languages that the manual is complete in, as BCP 47 has them.
  public static let languages = Language.allCases.map(\.rawValue)

  /// What stands above the printed manual; English for a language that there is none in.
  public static func title(language: String) -> String {
    gettext("Your safety button", in: Language(language))
  }

  /// The sentences in their order; English for a language that there are none in.
  public static func text(language: String) -> [String] {
    sentences.map { $0.text(in: Language(language)) }
  }

  private static let sentences = [
    Message("When you need help, hold the big button down."),
    Message("Keep holding until you hear the loud sound."),
    Message("Then let the button go."),
    Message("Your helpers are told at once."),
    Message("Stay where you are, if it is safe there."),
    Message("You will hear the name of the person who is coming."),
    Message("When you feel fine again, tell the helper who calls you."),
    Message("When a sound bothers you, press the button once."),
    Message("Do not worry: pressing once never sends your helpers away."),
    Message("When you want to know the time, press the button once."),
    Message("When you want to leave a talk, press the button twice."),
    Message("A telephone will ring for you."),
    Message("Press once to answer it."),
    Message("Press once more to end the call."),
    Message("The button works by day and by night."),
  ]
}
