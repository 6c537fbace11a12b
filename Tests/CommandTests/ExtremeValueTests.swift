internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// Extreme values for every option that takes a number, a duration or a time: the command exits with 0, 1 or
/// 2, and does not crash.
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

  /// Commands, and the options that are added one at a time.
  static let commands: [(command: [String], options: [String])] = [
    (token + ["--max-lifetime=1h"], ["--max-age", "--leeway", "--max-lifetime", "--at", "--max-size"]),
    (
      ["--any-issuer", "--any-audience", "--jwks", "https://localhost:1/", noToken], ["--timeout"]
    ),
    (["inspect", noToken], ["--at", "--max-size"]),
    (["sign", "--secret-file", secret, "docs/example/claims.json"], ["--lifetime", "--at"]),
    (["jwks", "generate", "--alg", "RS256", "--private-file", "/dev/null"], ["--rsa-bits"]),
    (["totp", "code", "--secret-file", "/dev/null"], ["--at", "--period", "--epoch", "--digits"]),
    (
      ["totp", "check", "--secret-file", secret],
      ["--at", "--period", "--epoch", "--digits", "--window", "--last-step"]
    ),
    (["totp", "code", "--secret-file", secret], ["--at", "--period", "--epoch", "--digits"]),
    (
      ["totp", "enroll", "--issuer", "x", "--account", "y", "--no-qr"], ["--period", "--digits", "--size"]
    ),
    (sign, ["--presign", "--at"]),
    (["sigv4", "inspect", presigned], ["--at", "--credentials-end"]),
    (["sigv4", "verify", "--secret-file", secret, "docs/example/request.http"], ["--at"]),
  ]

  private static let noToken = "eyJhbGciOiJub25lIn0.e30."
  /// A file with a secret in base32.
  private static let secret = {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).base32")
    try? Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8).write(to: file)
    return file.path()
  }()
  private static let token = [
    "--any-issuer", "--any-audience", "--jwks", "docs/example/jwks.json", "--explain",
  ]
  private static let sign = [
    "sigv4", "sign", "--region", "us-east-1", "--service", "s3", "--access-key", "AKIDEXAMPLE",
    "--secret-file",
    secret, "docs/example/request.http",
  ]
  private static let presigned =
    "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20260905%2Fus-east-1%2Fs3"
    + "%2Faws4_request&X-Amz-Date=20260905T090307Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature="
    + String(repeating: "0", count: 64)

  @Test(arguments: commands.flatMap { command in command.options.map { (command.command, $0) } })
  func oneOptionAtItsEnds(_ command: [String], _ option: String) throws {
    for value in Self.values {
      let status = try run(command + ["\(option)=\(value)"])
      #expect([0, 1, 2].contains(status), "\(option)=\(value)")
    }
  }

  /// Sums of two values: an age and a leeway, a time and a leeway.
  @Test func severalOptionsAtTheirEnds() throws {
    let (large, times) = (
      ["9223372036854775807", "106751991167300d", "1"],
      ["253402300799", "-62135596800", "9999-12-31T23:59:59Z", "2026-09-05T09:03:07Z"]
    )
    for age in large {
      for leeway in ["0", "1s", "300", "9223372036854775807"] {
        for time in times {
          let status = try run(
            Self.token + [
              "--max-age=\(age)", "--leeway=\(leeway)", "--at=\(time)", "--max-lifetime=\(age)",
            ])
          #expect([0, 1, 2].contains(status), "\(age) \(leeway) \(time)")
        }
      }
    }
  }

  @Test func lifetimesAtTheirEnds() throws {
    for value in Self.values {
      for kind in ["developer-token", "refresh-token", "presigned-url"] {
        let status = try run(["lifetime", "--for", kind, "--", value])
        #expect([0, 1, 2].contains(status), "\(kind) \(value)")
      }
    }
  }

  /// Returns the exit status, or 128 plus the number of the signal that ended the command.
  private func run(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    // `env` changes the folder: `Process` would change that of the tests for a moment.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["-C", VectorFile.root, Command.products + "verify-token"] + arguments
    process.environment = ["SWIFT_BACKTRACE": "enable=no", "AWS_SECRET_ACCESS_KEY": "x"]
    process.standardInput = try FileHandle(
      forReadingFrom: URL(filePath: "\(VectorFile.root)/docs/example/access-token.txt"))
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }
}
