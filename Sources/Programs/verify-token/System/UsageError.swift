internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// An error that prevents verification: wrong options, unreadable files, keys that cannot be fetched.
///
/// Messages quote paths, names and other values of the command line. Control characters in them are escaped
/// here.
struct UsageError: Error {
  /// One sentence without control characters.
  let message: String
  /// The code in JSON: one of those below, or an error's own.
  let code: String

  /// Options are unknown, missing, or exclude each other.
  static let optionsWrong = "options_wrong"
  /// A file or folder cannot be read or written, or does not contain what is expected.
  static let fileUnusable = "file_unusable"
  /// A file has no usable key, or several where one is needed, or no keys were fetched.
  static let keysUnusable = "keys_unusable"
  /// Standard output cannot be written.
  static let outputFailed = "output_failed"
  /// A program that belongs to this one is missing, or failed.
  static let programFailed = "program_failed"

  init(_ message: String, code: String) {
    self.message = message.visible(upTo: 4_096)
    self.code = code
  }

  /// An error with its code.
  init(_ error: any CodedError, in name: String? = nil) {
    self.init(
      (name.map { "\($0): " } ?? "") + "\(error) [\(error.codeText)]", code: error.codeText)
  }

  /// An error in the JSON of a file.
  init(_ error: JSONError, in name: String, _ text: [UInt8]) {
    self.init("\(name): \(error.sentence(in: text)) [\(error.codeText)]", code: error.codeText)
  }

  /// Reports the error and exits.
  func endProgram(_ arguments: [String]) -> Never {
    StandardError.write("verify-token: \(message)\n")
    writeJSON(arguments)
    exit(ExitStatus.usage.rawValue)
  }

  /// With `--output json`, writes the error to standard output, too. `valid` is null: nothing was decided. Of policies `allowed` is
  /// false, for readers who look at nothing else.
  func writeJSON(_ arguments: [String]) {
    let isRequested = arguments.indices.contains { index in
      arguments[index] == "--output=json"
        || arguments[index] == "json" && index > 0 && arguments[index - 1] == "--output"
    }
    guard isRequested else { return }
    var object: JSONObject = ["valid": .null, "code": .string(code), "message": .string(message)]
    if arguments.first?.isIdentical(to: "policy") == true { object["allowed"] = false }
    // A failure to write it adds nothing to the message on standard error.
    _ = Descriptor.writeAll((JSONWriter.write(object) + [0x0A]).span, to: STDOUT_FILENO)
  }
}
