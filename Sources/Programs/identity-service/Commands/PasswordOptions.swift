internal import ArgumentParser
internal import CognitoUserPool
internal import Foundation
internal import TokenSecurityBase

/// Where a user's password comes from. It is never in the arguments, which other users of the machine can read.
struct PasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file of mode 600 with the password, or - for standard input. A line end at its end is left out. On a terminal the command asks if no option says where the password is from.",
      valueName: "file"), completion: .file())
  var passwordFile: String?
  @Flag(help: "Make a password and print it. It cannot be shown again.")
  var generatePassword = false
  @Flag(help: "The user must replace the password at the first sign-in.")
  var temporary = false

  func validate() throws {
    guard passwordFile == nil || !generatePassword else {
      throw ValidationError("--password-file and --generate-password exclude each other")
    }
  }

  /// True where an option says where the password is from.
  var isGiven: Bool { passwordFile != nil || generatePassword }

  /// The password of the file or the terminal; nil for one that the service makes.
  ///
  /// - Parameters:
  ///   - name: whose password it is.
  ///   - hasMessage: true where an invitation can have the password.
  /// - Returns: the password.
  /// - Throws: `OperatingError` without any way.
  func read(for name: String, hasMessage: Bool = false) throws -> String? {
    if generatePassword { return nil }
    if let passwordFile { return try Self.text(passwordFile) }
    guard PasswordPrompt.isPossible else {
      let file = "--password-file FILE (- for standard input)"
      let ways =
        hasMessage ? "\(file), --generate-password or --message MEDIUM" : "\(file) or --generate-password"
      throw OperatingError(
        "\(name.quoted(upTo: 128)) needs a password: use \(ways); on a terminal the command asks")
    }
    return try PasswordPrompt.ask(for: name)
  }

  /// Sets the member of an input. Refusals name the option, without the password.
  func set(_ password: String, in input: inout OptionInput, as member: String = "Password") {
    input.members[member] = .string(password)
    let source =
      generatePassword
      ? "--generate-password" : passwordFile.map { "--password-file \($0)" } ?? "the password"
    for path in Set([ExactString(member), "Password"]) { input.note(path.text, source, nil) }
  }

  /// Makes a password that the pool's rules allow.
  static func make(_ poolID: String, _ service: UserPoolService) async throws -> String {
    let policy = try await service.store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      try rows.existingPool(poolID).passwordPolicy
    }
    return try TemporaryPassword.make(policy).withBytes {
      String(decoding: Array(unwipedCopy: $0), as: UTF8.self)
    }
  }

  private static func text(_ path: String) throws -> String {
    let text: String
    if path.utf8.elementsEqual("-".utf8) {
      guard let data = try FileHandle.standardInput.read(upToCount: 4_096),
        let found = String(data: data, encoding: .utf8)
      else {
        throw OperatingError("--password-file -: standard input has no UTF-8 text", code: .fileUnusable)
      }
      text = found
    } else {
      text = try SecretFile.text(path, setting: "--password-file")
    }
    let end = text.utf8.last == UInt8(ascii: "\n") ? text.utf8.dropLast() : text.utf8[...]
    return String(Substring(end.last == UInt8(ascii: "\r") ? end.dropLast() : end))
  }
}
