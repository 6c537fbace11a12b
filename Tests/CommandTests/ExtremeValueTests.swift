internal import ArgumentParser
internal import Foundation
internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles
@testable internal import verify_token

/// Extreme values for every option that takes a number, a duration or a time: the command accepts or refuses them,
/// and does not crash.
///
/// The command lines are parsed in this process, and go through all that the command computes up to its output: a
/// sum that overflows ends the tests. The program itself is started once for each option.
@Suite struct ExtremeValueTests {
  static let values = [
    "9223372036854775807", "9223372036854775807s", "9223372036854775806", "153722867280912930m",
    "2562047788015215h", "106751991167300d", "-9223372036854775808", "-9223372036854775807", "-1", "0", "1",
    "18446744073709551615", "18446744073709551616", "99999999999999999999d", "253402300799", "253402300800",
    "-62135596800", "-62135596801", "9999-12-31T23:59:59Z", "9999-12-31T23:59:60Z", "0001-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59",
    "2026-09-05T09:03:07.999999999999999999Z", "", "-", "1e308", "0x10", "300", "301", "5m", "100",
    "16777216",
    "\u{661}", "1\u{301}",
  ]

  /// A command line, without the options that are added one at a time.
  struct Line: Sendable {
    let words: [String]
    let arguments: [String]
    let parse: @Sendable ([String]) throws -> any ParsableCommand

    /// The command is the one that the words name: parsed alone, it takes less time than the root with all of them.
    init<Command: ParsableCommand & SendableMetatype>(
      _ command: Command.Type, _ words: [String], _ arguments: [String]
    ) {
      self.words = words
      self.arguments = arguments
      parse = { try Command.parse(arguments + $0) }
    }
  }

  static let lines: [(line: Line, options: [String])] = [
    (
      Line(VerifyCommand.self, ["verify"], token + ["--max-lifetime=1h"]),
      ["--max-age", "--leeway", "--max-lifetime", "--at", "--max-size"]
    ),
    (
      Line(
        VerifyCommand.self, ["verify"],
        ["--any-issuer", "--any-audience", "--jwks", "https://localhost:1/", noToken]), ["--timeout"]
    ),
    (Line(InspectCommand.self, ["inspect"], [noToken]), ["--at", "--max-size"]),
    (
      Line(SignCommand.self, ["sign"], ["--secret-file", secret, "\(examples)/claims.json"]),
      ["--lifetime", "--at"]
    ),
    (
      Line(
        JWKSGenerateCommand.self, ["jwks", "generate"], ["--alg", "RS256", "--private-file", "/dev/null"]),
      ["--rsa-bits"]
    ),
    (
      Line(TOTPCodeCommand.self, ["totp", "code"], ["--secret-file", "/dev/null"]),
      ["--at", "--period", "--epoch", "--digits"]
    ),
    (
      Line(TOTPCheckCommand.self, ["totp", "check"], ["--secret-file", secret]),
      ["--at", "--period", "--epoch", "--digits", "--window", "--last-step"]
    ),
    (
      Line(TOTPCodeCommand.self, ["totp", "code"], ["--secret-file", secret]),
      ["--at", "--period", "--epoch", "--digits"]
    ),
    (
      Line(TOTPEnrollCommand.self, ["totp", "enroll"], ["--issuer", "x", "--account", "y", "--no-qr"]),
      ["--period", "--digits", "--size"]
    ),
    (Line(SigV4SignCommand.self, ["sigv4", "sign"], sign), ["--presign", "--at"]),
    (Line(SigV4InspectCommand.self, ["sigv4", "inspect"], [presigned]), ["--at", "--credentials-end"]),
    (
      Line(
        SigV4VerifyCommand.self, ["sigv4", "verify"], ["--secret-file", secret, "\(examples)/request.http"]),
      ["--at"]
    ),
  ]

  private static let examples = "\(VectorFile.root)/docs/example"
  private static let noToken = "eyJhbGciOiJub25lIn0.e30."
  /// A file with a secret in base32.
  private static let secret = {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).base32")
    try? Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8).write(to: file)
    return file.path()
  }()
  private static let token = [
    "--any-issuer", "--any-audience", "--jwks", "\(examples)/jwks.json", "--explain",
  ]
  private static let sign = [
    "--region", "us-east-1", "--service", "s3", "--access-key", "AKIDEXAMPLE", "--secret-file", secret,
    "\(examples)/request.http",
  ]
  private static let presigned =
    "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20260905%2Fus-east-1%2Fs3"
    + "%2Faws4_request&X-Amz-Date=20260905T090307Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature="
    + String(repeating: "0", count: 64)

  /// A value that parses has an outcome, even if that is a refusal. Each option accepts one value at least: else
  /// nothing would be tested.
  @Test(arguments: lines.flatMap { line in line.options.map { (line.line, $0) } })
  func oneOptionAtItsEnds(_ line: Line, _ option: String) async throws {
    let parsed = Self.values.filter { decides(line, ["\(option)=\($0)"]) }
    #expect(!parsed.isEmpty, "\(option)")
    // The last second of the calendar for times, the largest number for all others.
    let isTime = ["--at", "--epoch", "--credentials-end"].contains(option)
    let status = try await start(
      line.words + line.arguments + ["\(option)=\(isTime ? "253402300799" : "9223372036854775807")"])
    #expect([0, 1, 2].contains(status), "\(option)")
  }

  /// Sums of two values: an age and a leeway, a time and a leeway.
  @Test func severalOptionsAtTheirEnds() {
    let line = Line(VerifyCommand.self, ["verify"], Self.token)
    let (large, times) = (
      ["9223372036854775807", "106751991167300d", "1"],
      ["253402300799", "-62135596800", "9999-12-31T23:59:59Z", "2026-09-05T09:03:07Z"]
    )
    for age in large {
      for leeway in ["0", "1s", "300", "9223372036854775807"] {
        for time in times {
          let options = ["--max-age=\(age)", "--leeway=\(leeway)", "--at=\(time)", "--max-lifetime=\(age)"]
          #expect(decides(line, options), "\(options)")
        }
      }
    }
  }

  @Test func lifetimesAtTheirEnds() async throws {
    for kind in ["developer-token", "refresh-token", "presigned-url"] {
      let line = Line(LifetimeCommand.self, ["lifetime"], ["--for", kind])
      let parsed = Self.values.filter { decides(line, ["--", $0]) }
      #expect(parsed.count == Self.values.count)
    }
    let status = try await start(["lifetime", "--for", "refresh-token", "--", Self.values[0]])
    #expect(status == 1)
  }

  /// Parses a command line, and computes what the command would write in both formats.
  ///
  /// - Returns: false if the command line is refused.
  private func decides(_ line: Line, _ options: [String]) -> Bool {
    guard let command = try? line.parse(options) else { return false }
    // Errors are refusals of values that parse.
    do {
      switch command {
      case var command as VerifyCommand:
        _ = try command.remote.configuration()
        command.token = command.token ?? Self.accessToken
        try compute(command.outcome())
      case let command as TOTPCheckCommand: try compute(command.outcome { "123456" })
      case let command as any ReportingCommand: try compute(command.outcome())
      case let command as SigV4SignCommand: _ = try command.signed()
      case let command as JWKSGenerateCommand: _ = try command.key()
      case let command as TOTPEnrollCommand: _ = try command.uri().text()
      default: Issue.record("\(line.words) is none of the commands")
      }
    } catch is UsageError {
    } catch { #expect(error is any CodedError, "\(line.words) \(options): \(error)") }
    return true
  }

  private func compute(_ outcome: Outcome) throws {
    let text = try outcome.text(TextReport(style: .forTerminal))
    let members = try outcome.json()
    #expect(!text.isEmpty && !members.members.isEmpty)
  }

  private static let accessToken = try? String(
    contentsOfFile: "\(examples)/access-token.txt", encoding: .utf8)

  /// Starts the program, with a token in its standard input.
  ///
  /// - Returns: the exit status, or 128 plus the number of the signal that ended it.
  private func start(_ arguments: [String]) async throws -> Int32 {
    let input = try #require(FileHandle(forReadingAtPath: "\(Self.examples)/access-token.txt"))
    return try await Program.run(
      [Command.products + "verify-token"] + arguments,
      environment: ["SWIFT_BACKTRACE": "enable=no", "AWS_SECRET_ACCESS_KEY": "x"], input: input
    ).status
  }
}
