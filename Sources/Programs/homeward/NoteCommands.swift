import Bytes
import Care
import ControlSocket
import Door
import Glibc
import JSON
import Moments

/// `homeward memo …`, `homeward diary …` and `homeward portrait …`.
enum NoteCommands {
  static let all = Note.Kind.allCases.flatMap(commands)

  /// What is said of a kind, and how its examples go.
  private struct Words: Sendable {
    var command: String
    var list: String
    var show: String
    var add: String
    var edit: String
    var remove: String
    /// That a note of some id is none of this kind.
    var isNot: @Sendable (NoteID) -> String
    var sample: String
    var tag: String
  }

  private static func words(_ kind: Note.Kind) -> Words {
    switch kind {
    case .memo:
      Words(
        command: "memo", list: gettext("The memos, newest first"),
        show: gettext("One memo with all its text"), add: gettext("Writes a new memo"),
        edit: gettext("Changes a memo"), remove: gettext("Removes a memo and its pictures"),
        isNot: { gettext("{id} is no memo.", ["id": $0]) },
        sample: gettext("The spare key is with Bert."), tag: gettext("keys"))
    case .diary:
      Words(
        command: "diary", list: gettext("The entries of the diary, newest first"),
        show: gettext("One entry of the diary with all its text"),
        add: gettext("Writes a new entry of the diary"),
        edit: gettext("Changes an entry of the diary"),
        remove: gettext("Removes an entry of the diary and its pictures"),
        isNot: { gettext("{id} is no entry of the diary.", ["id": $0]) },
        sample: gettext("Porridge with apple and a cup of tea."), tag: gettext("breakfast"))
    case .portrait:
      Words(
        command: "portrait", list: gettext("What people look like, newest first"),
        show: gettext("One description with its photographs"),
        add: gettext("Describes what somebody looks like, for whoever has to look for them"),
        edit: gettext("Changes a description"),
        remove: gettext("Removes a description and its photographs"),
        isNot: { gettext("{id} is no description.", ["id": $0]) },
        sample: gettext("1.62 m, short grey hair, glasses, a blue coat."), tag: gettext("coat"))
    }
  }

  private static func commands(for kind: Note.Kind) -> [CommandSpecification] {
    [list(kind), add(kind), edit(kind), show(kind), remove(kind)]
  }

  // MARK: Looking

  private static func list(_ kind: Note.Kind) -> CommandSpecification {
    let words = words(kind)
    return CommandSpecification(
      path: [words.command, "list"], summary: words.list,
      options: [
        Session.residentOption,
        .option("search", "TEXT", gettext("Only those whose title or text contains this")),
        .option("tag", "TAG", gettext("Only those with this tag")),
        .option(
          "since", "TIME", gettext("From this time on: 2026-11-20, \"2026-11-20 15:30\", today, 7d")
        ),
        .option("until", "TIME", gettext("Before this time")),
        .option("limit", "COUNT", gettext("At most so many; 50 unless set")), Session.cursorOption,
      ],
      examples: [
        Example("homeward \(words.command) list --tag \(words.tag)", gettext("Those with a tag.")),
        Example(
          "homeward \(words.command) list --since 7d --json", gettext("A week, for programs.")),
      ]
    ) { session throws(CommandFailure) in
      let (since, until) = (try session.time("since"), try session.time("until"))
      let (search, tag) = (session.arguments.option("search"), session.arguments.option("tag"))
      let limit = try session.limit(default: 50)
      let resident = try session.resident()
      let params = JSONValue.object([
        "resident": .string(resident.id.rawValue), "kind": .string(kind.rawValue),
        "text": search.map { .string($0) }, "tag": tag.map { .string($0) },
        "since": since.map { .string($0.iso8601) }, "until": until.map { .string($0.iso8601) },
        "limit": .integer(limit),
      ])
      try session.showPart(of: .notesQuery, params) { answer throws(DecodeError) in
        let notes: [Note] = try session.decoded(answer)
        if notes.isEmpty {
          return gettext(
            "Nothing here. Write something: homeward {command} add --help\n",
            ["command": words.command])
        }
        var table = Table([
          gettext("ID"), gettext("TIME"), gettext("WHAT"), gettext("TAGS"), gettext("PICTURES"),
          gettext("BY"),
        ])
        for note in notes {
          table.add([
            note.id.rawValue, session.times.text(note.time), NoteText.headline(note),
            note.tags.joined(separator: ", "),
            note.pictures.isEmpty ? "-" : String(note.pictures.count), note.author,
          ])
        }
        return table.text
      }
    }
  }

  private static func show(_ kind: Note.Kind) -> CommandSpecification {
    let words = words(kind)
    return CommandSpecification(
      path: [words.command, "show"], summary: words.show,
      operands: [operand],
      options: [
        .option("picture", "NUMBER", gettext("Save this picture of it, counted from 1")),
        .file(gettext("With --picture: the file to write"), formerly: "out"),
      ],
      examples: [
        Example("homeward \(words.command) show k3x9qa", gettext("Everything that was written.")),
        Example(
          "homeward \(words.command) show k3x9qa --picture 1 --out lunch.jpg",
          gettext("Its first picture.")),
      ]
    ) { session throws(CommandFailure) in
      let note = try note(session, kind)
      let (picture, out) = (session.arguments.option("picture"), session.arguments.option("to"))
      guard picture == nil, out == nil else {
        guard let picture, let out else {
          throw .usage(gettext("--picture NUMBER and --out FILE go together."), show(kind))
        }
        guard let number = Int(picture), note.pictures.indices.contains(number - 1) else {
          throw .usage(
            note.pictures.isEmpty
              ? gettext("there are no pictures here.")
              : gettext(
                "there are pictures 1 through {count}, not \"{value}\".",
                ["count": note.pictures.count, "value": picture]),
            show(kind))
        }
        return try PictureTransfer.save(note.pictures[number - 1], to: out, session)
      }
      try session.show(note.json) { _ throws(DecodeError) in
        NoteText.page(note, session.times)
      }
    }
  }

  // MARK: Writing

  private static func add(_ kind: Note.Kind) -> CommandSpecification {
    let words = words(kind)
    return CommandSpecification(
      path: [words.command, "add"], summary: words.add,
      discussion: gettext(
        """
        The text is what stands behind the options, in any script. Without it, and without a title and pictures, or with
        the word -, it is read from standard input.
        """),
      operands: [
        OperandSpecification(
          name: "TEXT", isOptional: true, isRepeatable: true,
          help: gettext("What to write, up to 10,000 letters"))
      ],
      options: [Session.residentOption] + content,
      examples: [
        Example(
          "homeward \(words.command) add --tag \(words.tag) \"\(words.sample)\"",
          gettext("With a tag.")),
        Example(
          "homeward \(words.command) add --title Lunch --picture lunch.jpg",
          gettext("Where the picture was taken is left out of it.")),
        Example("homeward \(words.command) add < letter.txt", gettext("From a file.")),
      ]
    ) { session throws(CommandFailure) in
      let arguments = session.arguments
      let time = try session.time("time")
      let text = try newText(session, add(kind))
      try PictureTransfer.check(arguments.all("picture"), besides: 0, add(kind))
      let resident = try session.resident()
      let note = Note(
        id: NoteID(RandomIdentifier.short), resident: resident.id, kind: kind,
        title: arguments.option("title") ?? "", text: text, tags: arguments.all("tag"),
        time: time ?? TimeDisplay.now,
        pictures: try PictureTransfer.bring(for: resident.id, session),
        author: arguments.option("by") ?? Self.writer, changedAt: TimeDisplay.now)
      let answer = try session.perform(.note(.put(note, revision: 0)))
      session.tell(
        answer,
        gettext(
          "Written as {id}. See it: homeward {command} show {id}",
          ["id": note.id, "command": words.command]))
    }
  }

  private static func edit(_ kind: Note.Kind) -> CommandSpecification {
    let words = words(kind)
    return CommandSpecification(
      path: [words.command, "edit"], summary: words.edit,
      discussion: gettext(
        """
        What is not named stays. Somebody else's change in the same moment is never overwritten: you are told, and see both.
        """),
      operands: [operand],
      options: [
        .option("text", "TEXT", gettext("The new text; - for standard input")),
        .flag("no-tags", gettext("Without tags")),
        .repeatable("drop-picture", "NUMBER", gettext("Without this picture, counted from 1")),
      ] + content,
      examples: [
        Example(
          "homeward \(words.command) edit k3x9qa --text \"\(words.sample)\"", gettext("A new text.")
        ),
        Example(
          "homeward \(words.command) edit k3x9qa --drop-picture 2", gettext("One picture less.")),
      ]
    ) { session throws(CommandFailure) in
      let arguments = session.arguments
      guard arguments.all("tag").isEmpty || !arguments.has("no-tags") else {
        throw .usage(gettext("--tag and --no-tags exclude each other."), edit(kind))
      }
      let time = try session.time("time")
      var note = try note(session, kind)
      let seen = note.revision
      if let title = arguments.option("title") { note.title = title }
      if let text = arguments.option("text") { note.text = text == "-" ? try input() : text }
      if !arguments.all("tag").isEmpty { note.tags = arguments.all("tag") }
      if arguments.has("no-tags") { note.tags = [] }
      if let time { note.time = time }
      if let writer = arguments.option("by") { note.author = writer }
      for word in arguments.all("drop-picture") {
        guard let number = Int(word), (1...max(1, note.pictures.count)).contains(number),
          !note.pictures.isEmpty
        else {
          throw .usage(
            gettext(
              "there is no picture {value}; there are {count}.",
              ["value": word, "count": note.pictures.count]), edit(kind))
        }
      }
      let dropped = Set(arguments.all("drop-picture").compactMap { Int($0) })
      let left = note.pictures.enumerated().filter { !dropped.contains($0.offset + 1) }
      try PictureTransfer.check(arguments.all("picture"), besides: left.count, edit(kind))
      note.pictures = left.map(\.element) + (try PictureTransfer.bring(for: note.resident, session))
      let answer = try session.perform(.note(.put(note, revision: seen)))
      session.tell(answer, gettext("Changed {id}.", ["id": note.id]))
    }
  }

  private static func remove(_ kind: Note.Kind) -> CommandSpecification {
    let words = words(kind)
    return CommandSpecification(
      path: [words.command, "remove"], summary: words.remove,
      operands: [operand],
      examples: [
        Example("homeward \(words.command) remove k3x9qa", gettext("It is gone for good."))
      ]
    ) { session throws(CommandFailure) in
      let note = try note(session, kind)
      let answer = try session.perform(.note(.remove(note.id, revision: note.revision)))
      session.tell(answer, gettext("Removed {id}.", ["id": note.id]))
    }
  }

  // MARK: Parts

  private static let operand = OperandSpecification(
    name: "ID", help: gettext("Its id, from the list"))

  private static let content: [OptionSpecification] = [
    .option("title", "TITLE", gettext("A title, up to 200 letters")),
    .repeatable("tag", "TAG", gettext("A word to find it by; may be given 20 times")),
    .option("time", "TIME", gettext("What it is about, in time; now unless set")),
    .repeatable(
      "picture", "FILE", gettext("A JPEG or PNG file of at most 10 MB; may be given 10 times")),
    .flag("keep-position", gettext("Leave in the pictures where they were taken")),
    .option("by", "NAME", gettext("Who writes; the name of your account unless set")),
  ]

  /// The name of the account, which says who wrote.
  static var writer: String { Environment.value("USER") ?? Environment.value("LOGNAME") ?? "" }

  /// The note that the first operand names, of the kind that the command is about.
  private static func note(
    _ session: Session, _ kind: Note.Kind
  ) throws(CommandFailure) -> Note {
    let answer = try session.call(.noteGet, ["id": .string(session.arguments.operands[0])])
    let note: Note
    do throws(DecodeError) { note = try Note(json: answer) } catch { throw CommandFailure(error) }
    guard note.kind == kind else {
      throw CommandFailure(
        .refused, words(kind).isNot(note.id),
        hint: gettext(
          "Try: homeward {command} show {id}",
          ["command": words(note.kind).command, "id": note.id]))
    }
    return note
  }

  private static func newText(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    let words = session.arguments.operands
    if words == ["-"] { return try input() }
    if !words.isEmpty { return words.joined(separator: " ") }
    if session.arguments.has("title") || session.arguments.has("picture") { return "" }
    if session.terminal.isInteractive {
      session.terminal.writeError(gettext("Write, then press Control-D on a line of its own."))
    }
    let text = try input()
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw .usage(gettext("there is nothing to write."), command)
    }
    return text
  }

  /// Standard input as text, without the line end behind it.
  static func input() throws(CommandFailure) -> String {
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try FileText.bytes("-", limit: 1 << 20) } catch {
      throw CommandFailure(
        .failed, gettext("standard input cannot be read: {reason}.", ["reason": error.reason]))
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(
        .failed, gettext("what comes on standard input is not UTF-8."),
        hint: gettext("Convert it first: iconv -t UTF-8"))
    }
    while let last = text.last, last.isNewline { text.removeLast() }
    return text
  }
}

/// Notes as people read them.
enum NoteText {
  /// The title, or the beginning of the text.
  static func headline(_ note: Note) -> String {
    if !note.title.isEmpty { return note.title }
    let line = note.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.count > 60 ? String(line.prefix(59)) + "…" : line
  }

  static func page(_ note: Note, _ times: TimeDisplay) -> String {
    var lines: [String] = []
    if !note.title.isEmpty { lines += [note.title, ""] }
    lines += lineTexts(of: note.text)
    if !note.text.isEmpty { lines.append("") }
    var facts = [(gettext("Time"), times.text(note.time))]
    if !note.tags.isEmpty { facts.append((gettext("Tags"), note.tags.joined(separator: ", "))) }
    if !note.pictures.isEmpty { facts.append((gettext("Pictures"), "\(note.pictures.count)")) }
    facts.append((gettext("Changed"), changed(note, times)))
    let width = facts.map { TextWidth.of($0.0) }.max() ?? 0
    lines += facts.map { TextWidth.padded($0.0, to: width) + "  " + $0.1 }
    return lines.map { TextWidth.printable($0) + "\n" }.joined()
  }

  private static func changed(_ note: Note, _ times: TimeDisplay) -> String {
    let time = times.text(note.changedAt)
    if note.author.isEmpty {
      return gettext("{time}, revision {revision}", ["time": time, "revision": note.revision])
    }
    return gettext(
      "{time} by {author}, revision {revision}",
      ["time": time, "author": note.author, "revision": note.revision])
  }

  /// The lines of a text, empty ones included.
  static func lineTexts(of text: String) -> [String] {
    text.isEmpty
      ? []
      : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
