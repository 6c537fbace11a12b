internal import SigV4
internal import SigV4Credentials
internal import Testing
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// Credentials from real programs.
@Suite struct ProgramTests {
  private func credentials(
    _ command: String, timers: any Clock<Duration> = ContinuousClock()
  ) async throws -> Credentials {
    let program = CredentialsProgram(timeout: .seconds(60), timers: timers)
    return try await ProcessCredentials(command: command, process: program).credentials()
  }

  @Test func aProgramThatWritesThem() async throws {
    let output = #"{"Version":1,"AccessKeyId":"AKIDPROGRAM","SecretAccessKey":"s"}"#
    #expect(try await credentials("printf '%s' '\(output)'").accessKeyID == "AKIDPROGRAM")
    // No shell: nothing is expanded.
    await #expect(throws: CredentialsError.processOutput("it is not JSON")) {
      try await credentials("echo $HOME")
    }
  }

  @Test func programsThatFail() async throws {
    for command in ["false", "/nowhere/program", "no-such-program-anywhere"] {
      do {
        _ = try await credentials(command)
        Issue.record("\(command) gave credentials")
      } catch let failure as CredentialsError {
        #expect(failure.code == .processFailed)
      }
    }
  }

  @Test func aProgramThatDoesNotEnd() async throws {
    let timers = SettableClock()
    let ended = Task { try await credentials("sleep 600", timers: timers) }
    try await eventually { timers.sleepers == 1 }
    timers.advance(by: .seconds(60))
    await #expect(throws: CredentialsError.processFailed("took longer than 60.0 seconds")) {
      try await ended.value
    }
  }

  @Test func aServiceThatIsNotThere() async throws {
    let closed = try ClosedPort()
    let endpoint = try HTTPURL("http://127.0.0.1:\(closed.number)")
    let source = AssumedRoleCredentials(
      source: StaticCredentials(
        try Credentials(accessKeyID: "AKID", secretAccessKey: SecretBytes("s".utf8.span))),
      request: try RoleRequest(roleARN: "arn:aws:iam::1:role/r", endpoint: endpoint),
      transport: HTTPClientTransport())
    do throws(CredentialsError) {
      _ = try await source.credentials()
      Issue.record("there is no service at port \(closed.number)")
    } catch {
      #expect(error.code == .serviceUnreachable)
    }
    withExtendedLifetime(closed) {}
  }
}
