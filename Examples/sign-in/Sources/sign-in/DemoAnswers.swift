import CognitoUserPoolClient
import Foundation
import OTPQRCode
import Synchronization

/// Answers everything by itself: a new user with a random name and password, codes from the service's file of
/// messages, and codes of an authenticator app that is a few lines here.
final class DemoAnswers: Questions {
  private let messageFile: String
  private let name = "jane-\(UInt32.random(in: 0...UInt32.max))"
  private let secret = "Aa1-\(UUID().uuidString)"
  private let state = Mutex(State())

  private struct State {
    var messagesRead = 0
    var authenticator: TOTP?
    var lastStep: UInt64 = 0
  }

  init(messageFile: String) { self.messageFile = messageFile }

  func answer(_ question: Question) async -> String? {
    let answer =
      switch question {
      case .username: name
      case .email: "\(name)@example.com"
      default: ""
      }
    print("\(question.text): \(answer)")
    return answer
  }

  func isYes(_ question: Question) async -> Bool {
    let isYes =
      switch question {
      case .setUpAuthenticator, .rememberDevice, .signOut: true
      default: false
      }
    print("\(question.text) \(isYes ? "yes" : "no")")
    return isYes
  }

  func password() async -> SecretBytes? {
    print("Password: ***")
    return SecretBytes(Array(secret.utf8).span)
  }

  func code(from source: CodeSource) async -> String? {
    guard case .message(let delivery) = source else {
      let code = appCode()
      print("The code of your authenticator app: \(code ?? "none")")
      return code
    }
    for _ in 0..<200 {
      if let code = nextCode() {
        print("The code that was sent to \(delivery.destination): \(code)")
        return code
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
    return nil
  }

  func take(_ secret: borrowing SoftwareTokenSecret, account: String) async throws {
    try await Terminal().take(secret, account: account)
    let authenticator = try TOTP(secret: secret.secret)
    state.withLock { $0.authenticator = authenticator }
  }

  private struct Message: Decodable {
    let code: String
  }

  /// The code of the next message in the file.
  private func nextCode() -> String? {
    guard let text = try? String(contentsOfFile: messageFile, encoding: .utf8) else { return nil }
    let messages = text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Message.self, from: Data($0.utf8))
    }
    return state.withLock { state in
      guard messages.count > state.messagesRead else { return nil }
      state.messagesRead = messages.count
      return messages.last?.code
    }
  }

  /// The code of the first step that was not used: no code is accepted twice.
  private func appCode() -> String? {
    state.withLock { state in
      guard let totp = state.authenticator, let now = try? totp.step(at: .now) else { return nil }
      let step = max(now, state.lastStep + 1)
      state.lastStep = step
      return try? totp.code(at: Timestamp(since1970: .seconds(Int64(step) * 30)))
    }
  }
}
