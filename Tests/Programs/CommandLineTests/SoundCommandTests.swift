import Care
import ControlSocket
import Door
import Foundation
import JSON
import Sounds
import TestSupport
import Testing

@Suite struct SoundCommandTests {
  private let offline = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])

  @Test func theListNamesEverySoundWithoutADaemon() throws {
    let outcome = try offline.run(["sound", "list"])
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let names = outcome.output.split(separator: "\n").dropFirst().map {
      String($0.prefix { $0 != " " })
    }
    #expect(names == SoundPattern.allNames)
    #expect(outcome.output.contains("the loud ten seconds before help is called"))
    let json = try JSONValue(parsing: try offline.run(["sound", "list", "--json"]).output)
    #expect(json.arrayContent?.count == SoundPattern.all.count)
    #expect(json.arrayContent?.first?["milliseconds"] == 10_000)
  }

  @Test func aSoundIsWrittenAsAWAVFileWithoutADaemon() throws {
    let directory = try TemporaryDirectory()
    for name in SoundPattern.allNames {
      let path = directory.path(of: "\(name).wav")
      let outcome = try offline.run(["sound", "play", name, "--to", path])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.hasPrefix("Wrote \(name), "))
      let sound = try WAVSound(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      #expect(sound.durationMilliseconds == SoundPattern.named(name)?.durationMilliseconds)
    }
    // An independent reader agrees.
    let log = directory.path(of: "python.log")
    let reader = """
      import sys, wave
      with wave.open(sys.argv[1]) as sound:
          print(sound.getnchannels(), sound.getsampwidth(), sound.getframerate(), sound.getnframes())
      """
    let python = try TestSupport.ChildProcess(
      "python3", ["-c", reader, directory.path(of: "sos.wav")], log: log)
    #expect(python.wait() == 0)
    #expect(python.log == "1 2 48000 480000\n")
  }

  @Test func aFileThatCannotBeWrittenIsSaid() throws {
    let outcome = try offline.run(["sound", "play", "sos", "--to", "/nowhere/sos.wav"])
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("/nowhere/sos.wav cannot be written: No such file"))
  }

  @Test func theDaemonIsAskedToPlay() async throws {
    let daemon = try await FakeDaemon { _ in .success(["id": "x"]) }
    let outcome = try daemon.tool.run(["sound", "play", "ring-gb"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "The gateway plays ring-gb in the room.\n")
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    #expect(request == .room(.playSound(name: "ring-gb")))
    await daemon.stop()
    #expect(try offline.run(["sound", "play", "chime"]).code == 3)
  }

  @Test func anUnknownNameIsRefusedWithWhatWasProbablyMeant() throws {
    let outcome = try offline.run(["sound", "play", "remindr"])
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("there is no sound \"remindr\". Did you mean reminder?"))
    #expect(try offline.run(["sound", "play"]).errors.contains("NAME is missing."))
  }

  @Test("What the gateway cannot speak is not called said: its answer says what is heard")
  func nothingSaid() async throws {
    let words = "Only a tone is heard. Enable the plugin speech."
    for (reply, said): (JSONValue, String) in [
      (.object([]), "It is being said.\n"), (["isSpoken": true], "It is being said.\n"),
      (["isSpoken": false, "explanation": .string(words)], words + "\n"),
    ] {
      let daemon = try await FakeDaemon { _ in .success(reply) }
      let outcome = try daemon.tool.run(["say", "Lunch is ready."])
      #expect(outcome.code == 0 && outcome.output == said, "\(outcome.output)\(outcome.errors)")
      await daemon.stop()
    }
  }
}
