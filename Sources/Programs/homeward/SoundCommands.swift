import Care
import Configuration
import JSON
import Sounds
import Texts

/// `homeward sound …`.
enum SoundCommands {
  static let all = [list, play]

  private static let list: CommandSpecification = .init(
    path: ["sound", "list"], summary: gettext("Every sound that the gateway can make by itself"),
    examples: [Example("homeward sound list", gettext("Names, lengths and what each is for."))]
  ) { session throws(CommandFailure) in
    if session.wantsJSON { return session.terminal.write(.array(SoundPattern.all.map(json))) }
    var table = Table([
      gettext("SOUND"), gettext("SECONDS"), gettext("PAUSE"), gettext("WHAT IT IS FOR"),
    ])
    for pattern in SoundPattern.all {
      table.add([
        pattern.name, seconds(pattern.durationMilliseconds),
        seconds(pattern.repeatPauseMilliseconds), pattern.summary.spoken,
      ])
    }
    session.terminal.write(table.text)
  }

  private static let play: CommandSpecification = .init(
    path: ["sound", "play"],
    summary: gettext("Plays a sound in the room, or writes it into a file"),
    discussion: gettext(
      """
      In the room it is played once, by the running gateway and behind everything more urgent.
      Alarms sound at full level: tell the people in the room first.
      """),
    operands: [
      OperandSpecification(name: "NAME", help: gettext("Its name, from \"homeward sound list\""))
    ],
    options: [
      .file(
        gettext("Write it as a WAV file instead; needs no running gateway"), value: "FILE.wav")
    ],
    examples: [
      Example("homeward sound play chime", gettext("A small sign from the speaker.")),
      Example(
        "homeward sound play sos --to sos.wav", gettext("The ten seconds of an SOS, as a file.")),
    ]
  ) { session throws(CommandFailure) in
    let pattern = try known(session.arguments.operands[0])
    guard let path = session.arguments.option("to") else {
      return session.show(done: try session.perform(.room(.playSound(name: pattern.name))), pattern)
    }
    do throws(FileFailure) {
      try FileText.write(bytes: WAVWriter.file(of: pattern), to: path)
    } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be written: {reason}.", ["path": path, "reason": error.reason]))
    }
    let length = seconds(pattern.durationMilliseconds)
    if session.wantsJSON {
      return session.terminal.write(json(pattern).setting("file", to: .string(path)))
    }
    session.terminal.write(
      gettext(
        "Wrote {name}, {length} s, to {path}.\n",
        ["name": pattern.name, "length": length, "path": path]))
  }

  private static func known(_ name: String) throws(CommandFailure) -> SoundPattern {
    if let pattern = SoundPattern.named(name) { return pattern }
    let meant = NearestWord.find(name, among: SoundPattern.allNames).map {
      gettext(" Did you mean {word}?", ["word": $0])
    }
    throw CommandFailure(
      .usage,
      gettext("there is no sound \"{name}\".{meant}", ["name": name, "meant": meant ?? ""]),
      hint: gettext("\"homeward sound list\" shows all. Try: homeward sound play --help"))
  }

  private static func json(_ pattern: SoundPattern) -> JSONValue {
    [
      "name": .string(pattern.name), "summary": .string(pattern.summary.description),
      "milliseconds": .integer(Int64(pattern.durationMilliseconds)),
      "pauseMilliseconds": .integer(Int64(pattern.repeatPauseMilliseconds)),
    ]
  }

  private static func seconds(_ milliseconds: Int) -> String {
    NumberText.short(Double(milliseconds) / 1000)
  }
}

extension Session {
  fileprivate func show(done answer: JSONValue, _ pattern: SoundPattern) {
    if wantsJSON { return terminal.write(answer) }
    terminal.write(gettext("The gateway plays {name} in the room.\n", ["name": pattern.name]))
  }
}
