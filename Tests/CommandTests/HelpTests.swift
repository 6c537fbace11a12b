internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The examples of `--help` can be copied from a terminal of 80 columns and run.
@Suite struct HelpTests {
  /// The blocks of lines that are indented by four spaces or more, after `EXAMPLE:` or `EXAMPLES:`.
  static func examples(in help: String) -> [String] {
    var blocks: [String] = []
    var isExample = false
    var continues = false
    for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("EXAMPLE") {
        isExample = true
      } else if let first = line.first, first != " " {
        isExample = false
      }
      guard isExample, line.hasPrefix("    ") else {
        continues = false
        continue
      }
      if continues { blocks[blocks.count - 1] += "\n" + line } else { blocks.append(String(line)) }
      continues = true
    }
    return blocks
  }

  @Test func examplesRun() async throws {
    let examples = try await examples(of: "verify-token")
    for example in examples { try await check(example) }
    #expect(examples.count >= 18)
  }

  @Test func examplesOfTheServiceRun() async throws {
    let examples = try await examples(of: "identity-service")
    try await Command.withScratchFolder { prepared in
      let preparation = try await runService(
        """
        set -e
        identity-service serve --data /var/lib/identity --port 8008
        identity-service pool create app --data /var/lib/identity --developer-provider login.my.app > pool
        identity-service user-pool create app --data /var/lib/identity > users
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out chain.pem \
          -days 2 -subj /CN=localhost 2> openssl
        """, in: prepared)
      #expect(preparation.status == 0, "\(preparation)")
      for example in examples { try await checkService(example, copying: prepared) }
    }
    #expect(examples.count >= 9)
  }

  private func examples(of program: String) async throws -> [String] {
    var examples: [String] = []
    for command in try await Command.subcommands(of: program) {
      let line = ([program] + command.words + ["--help"]).joined(separator: " ")
      let help = try await Command.run(line, environment: ["COLUMNS": "80"]).output
      #expect(help.hasPrefix("OVERVIEW"))
      examples += Self.examples(in: help)
    }
    return examples
  }

  /// The command line is understood: what it reports is the result, or that keys cannot be fetched.
  private func check(_ example: String) async throws {
    let result = try await Command.withScratchFolder { scratch in
      try prepare(scratch.path())
      return try await Command.run(
        example, in: scratch.path(), scratch: scratch,
        environment: [
          "PATH": "\(scratch.path())/bin:\(Command.products):/usr/bin:/bin", "HOME": scratch.path(),
          // No example reaches the network.
          "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "",
          "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret",
          "id": "AKIAIOSFODNN7EXAMPLE", "secret": "secret", "nonce": "n-0S6_WzA2Mj",
        ])
    }
    let errors = result.errors.split(separator: "\n").filter { !$0.contains("tokens: ") }
    let fetches = errors.allSatisfy { $0.hasPrefix("verify-token: no keys from ") }
    #expect(fetches, "\(example)\n\(result.errors)")
    #expect(errors.isEmpty ? [0, 1].contains(result.status) : result.status == 2, "\(example)\n\(result)")
  }

  /// The command line succeeds.
  private func checkService(_ example: String, copying prepared: URL) async throws {
    try await Command.withScratchFolder { scratch in
      let hasCopy = !example.contains(" backup ") && example.contains(" restore ")
      let backup = hasCopy ? "identity-service backup --data /var/lib/identity /var/backups/identity\n" : ""
      let result = try await runService(
        "set -e; cp -a $PREPARED/. .; pool=$(cat pool) users=$(cat users)\n" + backup + example, in: scratch,
        environment: ["PREPARED": prepared.path()])
      #expect(result.status == 0, "\(example)\n\(result)")
    }
  }

  /// Runs a command line whose folders are below a scratch folder, and whose ports are free ones.
  private func runService(
    _ line: String, in scratch: URL, environment: [String: String] = [:]
  ) async throws -> Command.Result {
    let scripts = "\(VectorFile.root)/Tests/CommandTests/Scripts"
    let local = line.replacing(#/ (/var|/srv)/#) { " \(scratch.path())\($0.output.1)" }
      .replacing(#/--port [0-9]+/#, with: "--port 0")
    return try await Command.run(
      local, in: scratch.path(), scratch: scratch,
      environment: environment.merging(["PATH": "\(scripts):/usr/local/bin:/usr/bin:/bin"]) { $1 })
  }

  /// Writes the files that the examples name, and a `curl` that prints a request and an error response.
  private func prepare(_ folder: String) throws {
    let files = FileManager.default
    let examples = "\(VectorFile.root)/docs/example"
    for (name, source) in [
      ("token", "\(examples)/access-token.txt"), ("tokens", "\(examples)/access-token.txt"),
      ("keys.json", "\(examples)/jwks.json"), ("public.pem", "\(VectorFile.root)/Vectors/keys/rsa-spki.pem"),
      ("request.http", "\(examples)/request.http"), ("secret", "\(examples)/secret"),
      ("alice.otp", "\(examples)/alice.otp"), ("policy.json", "\(examples)/policy.json"),
      ("sidecar.json", "\(examples)/sidecar.json"),
    ] { try files.copyItem(atPath: source, toPath: "\(folder)/\(name)") }
    try "287082\n".write(toFile: "\(folder)/code", atomically: true, encoding: .utf8)
    try "https://bucket.s3.amazonaws.com/?X-Amz-Expires=60\n"
      .write(toFile: "\(folder)/url", atomically: true, encoding: .utf8)
    try files.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
    let curl = """
      #!/bin/sh
      [ "$1" = -v ] && printf '> GET / HTTP/1.1\\r\\n> Host: bucket.s3.amazonaws.com\\r\\n> \\r\\n' >&2
      echo '<Error><Code>SignatureDoesNotMatch</Code></Error>'
      """
    try curl.write(toFile: "\(folder)/bin/curl", atomically: true, encoding: .utf8)
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/bin/curl")
  }
}
