internal import HTTPExchange
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

@testable internal import CognitoUserPoolClient

/// Cancellation at each request of a sign-in: the step is given back or the sign-in is over, and another one works.
@Suite struct SignInCancellationTests {
  /// A sign-in with a new device: password by SRP, a code, the device.
  private static let answers = [
    SignInScript.verifier(), SignInScript.challenge("SMS_MFA", session: "a"),
    SignInScript.challenge("SOFTWARE_TOKEN_MFA", session: "b"),
    SignInScript.tokens(newDevice: SignInScript.deviceKey),
    .ok(["UserConfirmationNecessary": false]),
  ]

  /// Result of a step in a task that was cancelled during a request.
  private enum Ending: ~Copyable, Sendable {
    case outcome(SignInOutcome)
    case failure(UserPoolClientError)
  }

  /// State that the task shares with its test.
  private final class Place: Sendable {
    let step: Mutex<SignInStep?>
    let ending = Mutex<Ending?>(nil)

    init(_ step: consuming SignInStep) { self.step = Mutex(consume step) }

    func put(_ result: consuming Ending) {
      var result = Optional(result)
      ending.withLock { $0 = result.take() }
    }
  }

  /// Answers a step in a task of its own, and cancels that while the service holds back a response.
  private static func cancelled(
    _ step: consuming SignInStep, at gate: Gate
  ) async throws -> Ending {
    let place = Place(step)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        guard let step = place.step.withLock({ $0.take() }) else { return }
        let result: Ending
        do { result = .outcome(try await step.anyAnswer()) } catch {
          result = .failure(error as? UserPoolClientError ?? .signedOut)
        }
        place.put(result)
      }
      try await eventually { gate.waiting > 0 }
      group.cancelAll()
      gate.open()
    }
    switch place.ending.withLock({ $0.take() }) {
    case .some(let ending): return ending
    case .none: return .failure(.signedOut)
    }
  }

  @Test(arguments: answers.indices) func atEachRequest(request: Int) async throws {
    let gate = Gate()
    let service = ScriptedTransport()
    for (index, answer) in Self.answers.enumerated() {
      service.then(index == request ? .held(gate, answer) : answer)
      if index == request { break }
    }
    let client = try TestClient.make(service)
    let devices = TestDevices()
    var step = try await client.signIn(username: "jane", options: SignInOptions(), devices: devices)
    // The steps before the one that is cancelled. The first one sends two requests, the last one too.
    let before = [0, 0, 1, 2, 2][request]
    for _ in 0..<before { step = try await step.anyAnswer().next() }
    let name = step.name
    switch try await Self.cancelled(step, at: gate) {
    case .failure(let error): Issue.record("\(error)")
    case .outcome(let outcome):
      guard request < 4 else {
        // The user is signed in: only the device is not confirmed.
        let signedIn = try outcome.next().done()
        #expect(signedIn.device == .unconfirmed(key: SignInScript.deviceKey, .cancelled))
        #expect(signedIn.tokens.accessToken == "access.token" && devices.events.isEmpty)
        // It can be confirmed when the session is kept.
        #expect(signedIn.newDevice?.key == SignInScript.deviceKey)
        return
      }
      let again = try outcome.again { $0 == .cancelled }
      #expect(again.name == name)
      // The step goes on; a password begins with the first request again.
      for answer in request <= 1 ? Self.answers[...] : Self.answers[request...] { service.then(answer) }
      let signedIn = try await again.end()
      #expect(signedIn.device == .new(key: SignInScript.deviceKey, needsConsent: false))
    }
  }

  /// While a known device is proved after a password: the password is asked for again.
  @Test(arguments: [1, 2]) func whileADeviceIsProved(request: Int) async throws {
    let answers = [
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "a"),
      SignInScript.verifier("DEVICE_PASSWORD_VERIFIER"), SignInScript.tokens(),
    ]
    let gate = Gate()
    let service = ScriptedTransport()
    for (index, answer) in answers[...request].enumerated() {
      service.then(index == request ? .held(gate, answer) : answer)
    }
    let devices = TestDevices(["jane": SignInScript.device])
    let step = try await TestClient.make(service).signIn(
      username: "jane", options: SignInOptions(flow: .password), devices: devices)
    switch try await Self.cancelled(step, at: gate) {
    case .failure(let error): Issue.record("\(error)")
    case .outcome(let outcome):
      let again = try outcome.again { $0 == .cancelled }
      for answer in answers { service.then(answer) }
      let signedIn = try await again.end()
      #expect(signedIn.device == .known(key: SignInScript.deviceKey))
      #expect(devices.events.isEmpty)
    }
  }

  /// After the right code the session is used up: the sign-in is over.
  @Test func whileADeviceIsProvedAfterACode() async throws {
    let gate = Gate()
    let service = ScriptedTransport(
      SignInScript.challenge("SMS_MFA", session: "a"),
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "b"),
      .held(gate, SignInScript.verifier("DEVICE_PASSWORD_VERIFIER")))
    let devices = TestDevices(["jane": SignInScript.device])
    let step = try await TestClient.make(service).signIn(
      username: "jane", options: SignInOptions(flow: .password), devices: devices)
    let code = try await step.anyAnswer().next()
    switch try await Self.cancelled(code, at: gate) {
    case .failure(let error): #expect(error == .cancelled)
    case .outcome(let outcome):
      let name = try outcome.next().name
      Issue.record("\(name)")
    }
    #expect(devices.events.isEmpty)
  }

  /// At the requests of the set-up of a software token.
  @Test(arguments: 0..<3) func whileASoftwareTokenIsSetUp(request: Int) async throws {
    let answers: [ScriptedTransport.Answer] = [
      .ok(["SecretCode": "GEZDGNBVGY3TQOJQ", "Session": .string(SignInScript.session("b"))]),
      .ok(["Status": "SUCCESS", "Session": .string(SignInScript.session("c"))]), SignInScript.tokens(),
    ]
    let gate = Gate()
    let service = ScriptedTransport(
      SignInScript.challenge(
        "MFA_SETUP", ["MFAS_CAN_SETUP": #"["SOFTWARE_TOKEN_MFA"]"#], session: "a"))
    for (index, answer) in answers[...request].enumerated() {
      service.then(index == request ? .held(gate, answer) : answer)
    }
    let client = try TestClient.make(service)
    var step = try await client.signIn(username: "jane", options: SignInOptions(flow: .password))
    for _ in 0..<(request == 0 ? 1 : 2) { step = try await step.anyAnswer().next() }
    let name = step.name
    switch try await Self.cancelled(step, at: gate) {
    case .failure(let error): Issue.record("\(error)")
    case .outcome(let outcome):
      let again = try outcome.again { $0 == .cancelled }
      #expect(again.name == name)
      for answer in answers[request...] { service.then(answer) }
      _ = try await again.end()
      #expect(service.left == 0)
    }
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let service = ScriptedTransport()
    let client = try TestClient.make(service)
    let task = Task {
      await untilCancelled()
      let step = try await client.signIn(username: "jane", options: SignInOptions(flow: .password))
      let again = try await step.anyAnswer().again { $0 == .cancelled }
      let name = again.name
      await expectUserPoolError(.cancelled) {
        _ = try await client.signIn(username: "jane", options: SignInOptions(flow: .custom())).name
      }
      return name
    }
    task.cancel()
    #expect(try await task.value == "password")
    #expect(service.requests.isEmpty)
  }
}
