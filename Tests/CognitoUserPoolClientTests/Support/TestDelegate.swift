internal import CognitoUserPoolClient
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A delegate with answers that are given in turn. It records what it is asked and told.
final class TestDelegate: SignInDelegate {
  struct Answers: Sendable {
    /// User names and passwords.
    var passwords: [(String, String)] = []
    var codes: [String] = []
    var usernames: [String] = []
    var factors: [MFAMethod] = []
    var firstFactors: [FirstFactor] = []
    var setUps: [SoftwareTokenSetUp] = []
    var newPasswords: [(String, [UserAttribute])] = []
    var custom: [String] = []
    /// Whether the pool is to remember a new device.
    var consents: [Bool] = []
    /// Whether failed steps are tried again.
    var retries: [Bool] = []
  }

  private let state: Mutex<(answers: Answers, log: [String])>

  init(_ set: (inout Answers) -> Void = { _ in }) {
    var answers = Answers()
    set(&answers)
    state = Mutex((answers, []))
  }

  /// Questions and notices to the delegate, in order.
  var log: [String] { state.withLock { $0.log } }

  private func take<Answer: Sendable>(_ line: String, _ next: (inout Answers) -> Answer?) -> Answer? {
    state.withLock { state in
      state.log.append(line)
      return next(&state.answers)
    }
  }

  func password(lastUsername: String?) async -> UserPassword? {
    let given = take("password \(lastUsername ?? "-")") { $0.passwords.next() }
    guard let (name, password) = given else { return nil }
    return UserPassword(username: name, password: SecretBytes(password.utf8.span))
  }

  func code(from source: CodeSource) async -> String? {
    let place =
      switch source {
      case .message(let delivery): delivery.destination
      case .softwareToken(let name): name ?? "app"
      }
    return take("code \(place)") { $0.codes.next() }
  }

  func username(lastUsername: String?) async -> String? {
    take("username \(lastUsername ?? "-")") { $0.usernames.next() }
  }

  func chooseFactor(_ available: [MFAMethod]) async -> MFAMethod? {
    take("factor \(available.map(\.name).joined(separator: " "))") { $0.factors.next() }
  }

  func chooseFirstFactor(_ available: [FirstFactor]) async -> FirstFactor? {
    take("first factor \(available.map(\.name).joined(separator: " "))") { $0.firstFactors.next() }
  }

  func setUpSoftwareToken(_ secret: borrowing SoftwareTokenSecret) async -> SoftwareTokenSetUp? {
    let text = secret.base32().withBytes { String(decoding: [UInt8](unwipedCopy: $0), as: UTF8.self) }
    return take("set up \(text)") { $0.setUps.next() }
  }

  func newPassword(existing: [UserAttribute], required: [String]) async -> NewUserPassword? {
    let line = "new password \(existing.map(\.name)) \(required)"
    let given = take(line) { $0.newPasswords.next() }
    guard let (password, attributes) = given else { return nil }
    return NewUserPassword(password: SecretBytes(password.utf8.span), attributes: attributes)
  }

  func answer(toCustom parameters: [ExactString: String]) async -> String? {
    take("custom \(parameters["q"] ?? "-")") { $0.custom.next() }
  }

  func remembersDevice() async -> Bool { take("remember the device") { $0.consents.next() } ?? false }

  func stepFailed(_ step: SignInStepKind, _ error: UserPoolClientError) async -> Bool {
    let reason = if case .refused(let type, _) = error { type } else { error.codeText }
    return take("failed \(step) \(reason)") { $0.retries.next() } ?? false
  }

  func stepSucceeded(_ step: SignInStepKind) async { state.withLock { $0.log.append("\(step)") } }
}

extension Array {
  /// Takes the first element.
  fileprivate mutating func next() -> Element? { isEmpty ? nil : removeFirst() }
}
