/// How telephone numbers of one country are written.
struct NumberingPlan: Hashable, Sendable {
  /// The country as ISO 3166-1 alpha-2 has it.
  var country: String
  /// The calling code, without plus sign.
  var callingCode: String
  /// What is dialled before a calling code, the longest first.
  var internationalPrefixes: [String]
  /// What is dialled before an area code within the country and falls away behind the calling code, the longest first.
  var trunkPrefixes: [String]
  /// How many digits follow the calling code of a fixed or mobile telephone.
  var lengths: Set<Int>

  /// The plan of a country by its code in capital letters; nil for no country.
  static func of(country: String) -> NumberingPlan? { byCountry[country] }

  /// The plan behind the calling code that some digits begin with, without `+`; nil for a code that is not assigned.
  static func beginning(_ digits: String) -> NumberingPlan? {
    (1...3).lazy.compactMap { byCallingCode[String(digits.prefix($0))] }.first
  }

  private static let all: [NumberingPlan] = table.split(separator: "\n").compactMap(read)

  private static let byCountry = Dictionary(
    all.map { ($0.country, $0) }, uniquingKeysWith: { first, _ in first })

  /// Of countries that share a calling code the first in the table speaks for it.
  private static let byCallingCode = Dictionary(
    all.map { ($0.callingCode, $0) }, uniquingKeysWith: { first, _ in first })

  /// Reads a line of ``table``; a test sees to it that every line can be read.
  private static func read(_ line: Substring) -> NumberingPlan? {
    let words = line.split(separator: " ")
    guard words.count == 5, let lengths = readLengths(words[4]) else { return nil }
    return NumberingPlan(
      country: String(words[0]), callingCode: String(words[1]),
      internationalPrefixes: alternatives(words[2]), trunkPrefixes: alternatives(words[3]),
      lengths: lengths)
  }

  private static func alternatives(_ word: Substring) -> [String] {
    if word == "-" { return [] }
    return word.split(separator: "/").map(String.init).sorted { $0.count > $1.count }
  }

  private static func readLengths(_ word: Substring) -> Set<Int>? {
    var lengths: Set<Int> = []
    for part in word.split(separator: ",") {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let low = ends.first, let high = ends.last, low <= high else { return nil }
      lengths.formUnion(low...high)
    }
    return lengths
  }

  /// Country, calling code, international prefixes, trunk prefixes, digits behind the calling code of fixed and mobile
  /// telephones; `-` for none.
  ///
  /// Special services, and fixed lines of fewer than six digits where others have more, are left out: nobody's guardian
  /// is reached there.
  ///
  /// - Source: national numbering plans after ITU-T E.164, put together with the metadata of libphonenumber 9.0.43; a test
  ///   compares with another release of it.
  static let table = """
    US 1 011 1 10
    AG 1 011 1 10
    AI 1 011 1 10
    AS 1 011 1 10
    BB 1 011 1 10
    BM 1 011 1 10
    BS 1 011 1 10
    CA 1 011 1 10
    DM 1 011 1 10
    DO 1 011 1 10
    GD 1 011 1 10
    GU 1 011 1 10
    JM 1 011 1 10
    KN 1 011 1 10
    KY 1 011 1 10
    LC 1 011 1 10
    MP 1 011 1 10
    MS 1 011 1 10
    PR 1 011 1 10
    SX 1 011 1 10
    TC 1 011 1 10
    TT 1 011 1 10
    VC 1 011 1 10
    VG 1 011 1 10
    VI 1 011 1 10
    RU 7 810 8 10
    KZ 7 810 8 10
    EG 20 00 0 8-10
    ZA 27 00 0 6-9
    GR 30 00 - 10
    NL 31 00 0 9,11
    BE 32 00 0 8-9
    FR 33 00 0 9
    ES 34 00 - 9
    HU 36 00 06 8-9
    IT 39 00 - 6-12
    VA 39 00 - 6-12
    RO 40 00 0 6,9
    CH 41 00 0 9
    AT 43 00 0 6-13
    GB 44 00 0 9-10
    GG 44 00 0 9-10
    IM 44 00 0 9-10
    JE 44 00 0 9-10
    DK 45 00 - 8
    SE 46 00 0 7-9
    NO 47 00 - 8
    SJ 47 00 - 8
    PL 48 00 - 7,9
    DE 49 00 0 6-13
    PE 51 00 0 8-9
    MX 52 00/09 - 10
    CU 53 119 0 6-8,10
    AR 54 00 0 10-11
    BR 55 00 0 10-11
    CL 56 00 - 9
    CO 57 005/007/009/00414/00444/00456 0 8,10
    VE 58 00 0 10
    MY 60 00 0 8-10
    AU 61 0011 0 9
    CC 61 0011 0 9
    CX 61 0011 0 9
    ID 62 008/009 0 7-12
    PH 63 00 0 6,8-10
    NZ 64 00/0161 0 8-10
    SG 65 001/002/008/018/019 - 8
    TH 66 001/002/003/004/005/006/007/008/009 0 8-9
    JP 81 010 0 9-10
    KR 82 001/002/005/006/008/009/00700/00727/00345/00365 0 6,8-10
    VN 84 00 0 9-10
    CN 86 00 0 7-11
    TR 90 00 0 10
    IN 91 00 0 10
    PK 92 00 0 9-10
    AF 93 00 0 9
    LK 94 00 0 9
    MM 95 00 0 6-10
    IR 98 00 0 6-7,10
    SS 211 00 0 9
    MA 212 00 0 9
    EH 212 00 0 9
    DZ 213 00 0 8-9
    TN 216 00 - 8
    LY 218 00 0 9
    GM 220 00 - 7,9
    SN 221 00 - 9
    MR 222 00 - 8
    ML 223 00 - 8
    GN 224 00 - 8-9
    CI 225 00 - 10
    BF 226 00 - 8
    NE 227 00 - 8
    TG 228 00 - 8
    BJ 229 00 - 10
    MU 230 00/020/030/033/040/050/060/070 - 7-8
    LR 231 00 0 7-9
    SL 232 00 0 8
    GH 233 00 0 9
    NG 234 009 0 10
    TD 235 00 - 8
    CF 236 00 - 8
    CM 237 00 - 9
    CV 238 00/0 - 7
    ST 239 00 - 7
    GQ 240 00 - 9
    GA 241 00 - 7-8
    CG 242 00 - 9
    CD 243 00 0 7-10
    AO 244 00 - 9
    GW 245 00 - 9
    IO 246 00 - 7
    AC 247 00 - 5
    SC 248 00/01/010/02 - 7
    SD 249 00 0 9
    RW 250 00 0 8-9
    ET 251 00 0 9
    SO 252 00 0 6-9
    DJ 253 00 - 8
    KE 254 000 0 7-9
    TZ 255 000/005/006 0 9
    UG 256 000/005/007 0 9
    BI 257 00 - 8
    MZ 258 00 - 8-9
    ZM 260 00 0 9
    MG 261 00 0 9
    RE 262 00 0 9
    YT 262 00 0 9
    ZW 263 00 0 9
    NA 264 00 0 8-9
    MW 265 00 0 7,9
    LS 266 00 - 8
    BW 267 00 - 7-8
    SZ 268 00 - 8
    KM 269 00 - 7
    SH 290 00 - 4-5
    TA 290 00 - 4-5
    ER 291 00 0 7
    AW 297 00 - 7
    FO 298 00 - 6
    GL 299 00 - 6
    GI 350 00 - 8
    PT 351 00 - 9
    LU 352 00 - 6-11
    IE 353 00 0 7-10
    IS 354 00 - 7,9
    AL 355 00 0 8-9
    MT 356 00 - 8
    CY 357 00 - 8
    FI 358 00/990/994/999 0 6-10
    AX 358 00/990/994/999 0 6-10
    BG 359 00 0 6-9
    LT 370 00 0/8 8
    LV 371 00 - 8
    EE 372 00 - 7-8
    MD 373 00 0 8
    AM 374 00 0 8
    BY 375 810 80/8/0 9
    AD 376 00 - 6,9
    MC 377 00 0 8-9
    SM 378 00 - 8,10
    UA 380 00 0 9
    RS 381 00 0 7-12
    ME 382 00 0 8
    XK 383 00 0 8-12
    HR 385 00 0 8-9
    SI 386 00 0 8
    BA 387 00 0 8-9
    MK 389 00 0 8
    CZ 420 00 - 9
    SK 421 00 0 6-7,9
    LI 423 00 0 7,9
    FK 500 00 - 5
    BZ 501 00 - 7
    GT 502 00 - 8
    SV 503 00 - 8
    HN 504 00 - 8
    NI 505 00 - 8
    CR 506 00 - 8
    PA 507 00 - 7-8
    PM 508 00 0 6,9
    HT 509 00 - 8
    GP 590 00 0 9
    BL 590 00 0 9
    MF 590 00 0 9
    BO 591 00/0011 0 8
    GY 592 001 - 7
    EC 593 00 0 8-9
    GF 594 00 0 9
    PY 595 00 0 7-9
    MQ 596 00 0 9
    SR 597 00 - 6-7
    UY 598 00/0161 0 8
    CW 599 00 - 7-8
    BQ 599 00 - 7-8
    TL 670 00 - 7-8
    NF 672 00 - 6
    BN 673 00 - 7
    NR 674 00 - 7
    PG 675 00 - 7-8
    TO 676 00 - 5,7
    SB 677 00/01 - 5,7
    VU 678 00 - 5,7
    FJ 679 00/052 - 7
    PW 680 011/012 - 7
    WF 681 00 - 6
    CK 682 00 - 5
    NU 683 00 - 4,7
    WS 685 00/0 - 5-7,10
    KI 686 00 0 5,8
    NC 687 00 - 6
    TV 688 00 - 5-7
    PF 689 00 - 8
    TK 690 00 - 4-7
    FM 691 00 - 7
    MH 692 011 1 7
    KP 850 00 0 8,10
    HK 852 00/001/002/006/007/008/009 - 8
    MO 853 00 - 8
    KH 855 001/004/005/006/007/008/009 0 8-9
    LA 856 00 0 8-10
    BD 880 00 0 6-10
    TW 886 002/005/006/007/009/019 0 8-9
    MV 960 00/019 - 7
    LB 961 00 0 7-8
    JO 962 00 0 8-9
    SY 963 00 0 8-9
    IQ 964 00 0 8-10
    KW 965 00 - 8
    SA 966 00 0 9
    YE 967 00 0 7-9
    OM 968 00 - 8
    PS 970 00 0 8-9
    AE 971 00 0 8-9
    IL 972 00/012/018/019/013/014/015 0 8-9,11-12
    BH 973 00 - 8
    QA 974 00 - 8
    BT 975 00 - 7-8
    MN 976 001 0 8-10
    NP 977 00 0 8,10
    TJ 992 810 - 9
    TM 993 810 8 8
    AZ 994 00 0 9
    GE 995 00 0 9
    KG 996 00 0 9
    UZ 998 00 - 9
    """
}
