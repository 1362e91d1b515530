import CPango
import Glibc

/// The fonts of reports: those that are installed, and the same whatever their owner set for the desktop.
///
/// The font has one weight: what is bold is made so.
enum Fonts {
  private static let configuration = """
    <?xml version="1.0"?>
    <fontconfig>
      <dir>/usr/share/fonts</dir>
      <cachedir prefix="xdg">fontconfig</cachedir>
      <match target="font">
        <test name="weight" compare="less_eq"><const>medium</const></test>
        <test target="pattern" name="weight" compare="more"><const>medium</const></test>
        <edit name="embolden" mode="assign"><bool>true</bool></edit>
        <edit name="weight" mode="assign"><const>bold</const></edit>
      </match>
    </fontconfig>
    """

  /// Whether there is a font of Chinese and Latin letters, as there is with `fonts-wqy-microhei`.
  static let haveChinese: Bool = {
    take()
    let wanted = FcPatternCreate()
    defer { FcPatternDestroy(wanted) }
    FcPatternAddString(wanted, FC_FAMILY, Letters.family)
    let kinds = FcObjectSetCreate()
    defer { FcObjectSetDestroy(kinds) }
    FcObjectSetAdd(kinds, FC_FAMILY)
    guard let found = FcFontList(nil, wanted, kinds) else { return false }
    defer { FcFontSetDestroy(found) }
    return found.pointee.nfont > 0
  }()

  /// Takes the fonts, before anything is set in letters.
  static func take() { _ = taken }

  private static let taken: Bool = {
    guard let made = FcConfigCreate() else { return false }
    defer { FcConfigDestroy(made) }
    let isRead = configuration.withCString {
      $0.withMemoryRebound(to: FcChar8.self, capacity: configuration.utf8.count) {
        FcConfigParseAndLoadFromMemory(made, $0, FcTrue)
      }
    }
    return isRead != 0 && FcConfigSetCurrent(made) != 0
  }()
}
