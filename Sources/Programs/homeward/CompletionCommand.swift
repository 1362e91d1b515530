/// `homeward completion`: what a shell needs to complete the words of this program, made from the command table.
enum CompletionCommand {
  static let specification: CommandSpecification = .init(
    path: ["completion"], summary: gettext("Prints what a shell needs to complete these commands"),
    operands: [OperandSpecification(name: "SHELL", help: gettext("bash, zsh or fish"))],
    examples: [
      Example("eval \"$(homeward completion bash)\"", gettext("In this shell, until it ends.")),
      Example(
        "homeward completion fish > ~/.config/fish/completions/homeward.fish",
        gettext("For good; packages install it for all three.")),
    ]
  ) { session throws(CommandFailure) in
    let places = Self.places
    switch session.arguments.operands[0] {
    case "bash": session.terminal.write(bash(places))
    case "zsh": session.terminal.write(zsh(places))
    case "fish": session.terminal.write(fish(places))
    case let other:
      throw .usage(
        gettext(
          "there is no completion for \"{shell}\"; there is bash, zsh and fish.", ["shell": other]),
        specification)
    }
  }

  /// What may follow some words: `zones` is followed by `add`, `change`, `remove` and the options of `homeward zones`.
  struct Place {
    var path: [String]
    var words: [String]
    var options: [OptionSpecification]
  }

  /// Every command and every group of commands, the shortest paths first.
  static var places: [Place] {
    let commands = CommandTable.all
    let paths = Set(
      commands.flatMap { command in
        (0...command.path.count).map { Array(command.path.prefix($0)) }
      })
    return paths.sorted {
      $0.count != $1.count ? $0.count < $1.count : $0.lexicographicallyPrecedes($1)
    }
    .map { path in
      let below = Set(
        commands.filter { $0.path.count > path.count && $0.path.starts(with: path) }.map {
          $0.path[path.count]
        })
      let own = CommandTable.find(path)?.options ?? []
      return Place(
        path: path, words: below.sorted(), options: own + CommandSpecification.common)
    }
  }

  /// The words, then the options, of each place: one line of a table that bash and zsh read alike.
  private static func lines(_ places: [Place]) -> String {
    places.map { place in
      let words = place.words + place.options.map { "--\($0.name)" }
      let path = (["homeward"] + place.path).joined(separator: " ")
      return "  ['\(path)']='\(words.joined(separator: " "))'\n"
    }.joined()
  }

  private static func bash(_ places: [Place]) -> String {
    """
    # Completion of homeward(1) for bash; made by `homeward completion bash`.
    declare -A _homeward_words=(
    \(lines(places)))
    _homeward() {
      local path=homeward word next
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        next="$path $word"
        [[ -v "_homeward_words[$next]" ]] && path=$next
      done
      if [[ $2 == -* || " ${_homeward_words[$path]} " != " --"* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${_homeward_words[$path]}" -- "$2")
      fi
    }
    complete -o default -F _homeward homeward

    """
  }

  private static func zsh(_ places: [Place]) -> String {
    """
    #compdef homeward
    # Completion of homeward(1) for zsh; made by `homeward completion zsh`.
    typeset -gA _homeward_words=(
    \(lines(places)))
    _homeward() {
      local place=homeward word next
      for word in "${(@)words[2,CURRENT-1]}"; do
        next="$place $word"
        (( ${+_homeward_words[$next]} )) && place=$next
      done
      compadd -- ${=_homeward_words[$place]} || _files
    }
    if [[ $funcstack[1] == _homeward ]]; then _homeward "$@"; else compdef _homeward homeward; fi

    """
  }

  private static func fish(_ places: [Place]) -> String {
    var text = """
      # Completion of homeward(1) for fish; made by `homeward completion fish`.
      set -g __homeward_places \(places.map { "'\($0.path.joined(separator: " "))'" }.joined(separator: " "))
      function __homeward_at
        set -l place ''
        for word in (commandline -opc)[2..-1]
          set -l next (string trim "$place $word")
          contains -- "$next" $__homeward_places; and set place $next
        end
        test "$place" = "$argv[1]"
      end

      """
    for place in places {
      let condition = "-n \"__homeward_at '\(place.path.joined(separator: " "))'\""
      if !place.words.isEmpty {
        text += "complete -c homeward -f \(condition) -a '\(place.words.joined(separator: " "))'\n"
      }
      for option in place.options {
        let value = option.value == nil ? "" : " -r"
        text += "complete -c homeward \(condition) -l \(option.name)\(value)\n"
      }
    }
    return text
  }
}
