import CognitoUserPoolClient
import Foundation
import OTPQRCode

/// Asks the user at the terminal.
struct Terminal: Questions {
  func answer(_ question: Question) async -> String? {
    print(question.text, terminator: ": ")
    fflush(nil)
    guard let line = readLine() else { return nil }
    if line.isEmpty, case .username(let last?) = question { return last }
    return line
  }

  func isYes(_ question: Question) async -> Bool {
    print(question.text, terminator: " (y/n) ")
    fflush(nil)
    return readLine()?.lowercased().hasPrefix("y") ?? false
  }

  func password() async -> SecretBytes? {
    print("Password", terminator: ": ")
    fflush(nil)
    var bytes = Self.withoutEcho { readLine() }.map { Array($0.utf8) } ?? []
    print()
    guard !bytes.isEmpty else { return nil }
    return SecretBytes(wiping: &bytes)
  }

  func code(from source: CodeSource) async -> String? {
    switch source {
    case .message(let delivery): print("The code that was sent to \(delivery.destination)", terminator: ": ")
    default: print("The code of your authenticator app", terminator: ": ")
    }
    fflush(nil)
    return readLine()?.trimmingCharacters(in: .whitespaces)
  }

  func take(_ secret: borrowing SoftwareTokenSecret, account: String) async throws {
    let uri = try secret.uri(issuer: "Example", account: account)
    // What was printed so far comes first.
    fflush(nil)
    FileHandle.standardOutput.write(Self.data(try QRCode(uri.text()).terminal(isColoured: true)))
    FileHandle.standardOutput.write(Self.data(secret.base32()))
    print("\nScan the code with your authenticator app, or type the letters.")
  }

  private static func data(_ secret: borrowing SecretBytes) -> Data {
    secret.withBytes { bytes in Data(bytes.indices.map { bytes[$0] }) }
  }

  private static func withoutEcho(_ body: () -> String?) -> String? {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return body() }
    var quiet = settings
    quiet.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &quiet)
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    return body()
  }
}
