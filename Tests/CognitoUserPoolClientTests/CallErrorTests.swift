internal import CognitoUserPoolClient
internal import HTTPExchange
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Handling of refusals, unreadable responses and failures of the connection.
@Suite struct CallErrorTests {
  @Test func refusalsHaveTypeAndMessage() async throws {
    let service = ScriptedTransport(
      .refusal("NotAuthorizedException", "Access Token has expired"),
      .refusal("com.amazonaws.cognito#UserNotFoundException"),
      .response(status: 500, body: ["__type": "InternalErrorException", "message": "no"]))
    let client = try TestClient.make(service)
    let expected: [UserPoolClientError] = [
      .refused(type: "NotAuthorizedException", message: "Access Token has expired"),
      .refused(type: "UserNotFoundException", message: "no"),
      .refused(type: "InternalErrorException", message: "no"),
    ]
    for error in expected {
      await #expect(throws: error) { _ = try await client.user(accessToken: "t") }
    }
    #expect(expected[0].isRefusal("NotAuthorizedException") && !expected[0].isRefusal("NotAuthorized"))
    #expect(!UserPoolClientError.signedOut.isRefusal("NotAuthorizedException"))
    #expect(
      "\(expected[0])".hasSuffix(
        "the service refused the call with \"NotAuthorizedException\": Access Token has expired"))
  }

  @Test func responsesThatCannotBeRead() async throws {
    let service = ScriptedTransport(
      .response(status: 500, body: [:]), .ok(["Username": 1]), .failure(.tooLarge(limit: 262_144)))
    let client = try TestClient.make(service)
    for _ in 0..<3 {
      await expectUserPoolError(.responseMalformed) { _ = try await client.user(accessToken: "t") }
    }
  }

  @Test func failuresOfTheConnection() async throws {
    let service = ScriptedTransport(
      .failure(.timeout(.seconds(10))), .failure(.connection("refused")), .response(status: 503, body: [:]))
    let client = try TestClient.make(service)
    for _ in 0..<3 {
      await expectUserPoolError(.unreachable) { _ = try await client.user(accessToken: "t") }
    }
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let service = ScriptedTransport(.ok())
    let client = try TestClient.make(service)
    let task = Task {
      await untilCancelled()
      try await client.globalSignOut(accessToken: "t")
    }
    task.cancel()
    await expectUserPoolError(.cancelled) { try await task.value }
    #expect(service.requests.isEmpty)
  }

  /// A call that is cancelled while it waits is cancelled, not unreachable.
  @Test func aCallIsCancelled() async throws {
    let gate = Gate()
    let service = ScriptedTransport(.held(gate, .ok()))
    let client = try TestClient.make(service)
    let task = Task { try await client.globalSignOut(accessToken: "t") }
    try await eventually { gate.waiting > 0 }
    task.cancel()
    gate.open()
    await expectUserPoolError(.cancelled) { try await task.value }
    #expect(service.operations == ["GlobalSignOut"])
  }

  /// Neither a password nor a token is in any error.
  @Test func errorsHaveNoSecrets() async throws {
    let service = ScriptedTransport(.refusal("InvalidPasswordException", "no"))
    let client = try TestClient.make(service)
    do {
      try await client.changePassword(
        from: TestClient.password("first-secret"), to: TestClient.password("second-secret"),
        accessToken: "third-secret")
      Issue.record("nothing was thrown")
    } catch {
      #expect(!"\(error)".contains("secret"))
    }
  }
}
