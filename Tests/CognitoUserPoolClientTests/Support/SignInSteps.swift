internal import CognitoUserPoolClient
internal import Synchronization
internal import Testing

/// The sign-in waits for something else than a test expects.
struct UnexpectedStep: Error {
  let name: String
}

extension SignInStep {
  /// The step's name.
  var name: String {
    borrowing get {
      switch self {
      case .password: "password"
      case .smsCode: "SMS code"
      case .emailCode: "e-mail code"
      case .softwareTokenCode: "software token code"
      case .chooseFactor: "choice of a factor"
      case .setUpFactor: "set-up of a factor"
      case .setUpSoftwareToken: "set-up of a software token"
      case .newPassword: "new password"
      case .custom: "custom"
      case .chooseFirstFactor: "choice of a first factor"
      case .done: "done"
      }
    }
  }

  consuming func password() throws -> PasswordStep {
    let name = name
    switch consume self {
    case .password(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  /// A code of any kind.
  consuming func code() throws -> CodeStep {
    let name = name
    switch consume self {
    case .smsCode(let step): return step
    case .emailCode(let step): return step
    case .softwareTokenCode(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  consuming func factorChoice() throws -> FactorChoiceStep {
    let name = name
    switch consume self {
    case .chooseFactor(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  consuming func factorSetUp() throws -> FactorSetUpStep {
    let name = name
    switch consume self {
    case .setUpFactor(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  consuming func softwareTokenSetUp() throws -> SoftwareTokenSetUpStep {
    let name = name
    switch consume self {
    case .setUpSoftwareToken(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  consuming func newPassword() throws -> NewPasswordStep {
    let name = name
    switch consume self {
    case .newPassword(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  consuming func custom() throws -> CustomStep {
    let name = name
    switch consume self {
    case .custom(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  consuming func firstFactorChoice() throws -> FirstFactorStep {
    let name = name
    switch consume self {
    case .chooseFirstFactor(let step): return step
    default: throw UnexpectedStep(name: name)
    }
  }

  consuming func done() throws -> SignedIn {
    let name = name
    switch consume self {
    case .done(let signedIn): return signedIn
    default: throw UnexpectedStep(name: name)
    }
  }

  /// Any answer that can be sent.
  consuming func anyAnswer() async throws -> SignInOutcome {
    let name = name
    switch consume self {
    case .password(let step): return try await step.answer(TestClient.password())
    case .smsCode(let step): return try await step.answer("123456")
    case .emailCode(let step): return try await step.answer("123456")
    case .softwareTokenCode(let step): return try await step.answer("123456")
    case .chooseFactor(let step): return try await step.choose(.softwareToken)
    case .setUpFactor(let step): return try await step.setUpSoftwareToken()
    case .setUpSoftwareToken(let step): return try await step.answer("123456")
    case .newPassword(let step): return try await step.answer(TestClient.password("New-horse-10"))
    case .custom(let step): return try await step.answer("42")
    case .chooseFirstFactor(let step): return try await step.choose(.emailCode)
    case .done: throw UnexpectedStep(name: name)
    }
  }

  /// The end of a sign-in whose answers are all accepted.
  consuming func end() async throws -> SignedIn {
    var step = consume self
    while true {
      guard step.name != "done" else { return try step.done() }
      step = try await step.anyAnswer().next()
    }
  }
}

extension SignInOutcome {
  /// The step that is given back, after an error that `isExpected` accepts.
  consuming func again(
    sourceLocation: SourceLocation = #_sourceLocation, _ isExpected: (UserPoolClientError) -> Bool
  ) throws -> SignInStep {
    switch consume self {
    case .next(let step): throw UnexpectedStep(name: step.name)
    case .again(let step, let error):
      #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
      return step
    }
  }

  /// The step that is given back, after this refusal.
  consuming func again(
    _ type: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SignInStep {
    try again(sourceLocation: sourceLocation) { $0.isRefusal(type) }
  }
}

/// The devices of users, in memory.
final class TestDevices: DeviceKeeping {
  private let state = Mutex<(devices: [String: StoredDevice], events: [String])>(([:], []))

  init(_ devices: [String: StoredDevice] = [:]) { state.withLock { $0.devices = devices } }

  /// The store's events: values kept and forgotten.
  var events: [String] { state.withLock { $0.events } }

  func key(_ username: String) -> String? { state.withLock { $0.devices[username]?.key } }

  func put(_ device: StoredDevice, _ username: String) { state.withLock { $0.devices[username] = device } }

  func device(username: String) async -> StoredDevice? { state.withLock { $0.devices[username] } }

  func keep(_ device: StoredDevice, username: String) async {
    state.withLock {
      $0.devices[username] = device
      $0.events.append("keep \(device.key) of \(username)")
    }
  }

  func forget(username: String) async {
    state.withLock {
      $0.devices[username] = nil
      $0.events.append("forget \(username)")
    }
  }
}
