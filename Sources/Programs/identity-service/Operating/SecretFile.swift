internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Settings with secrets, in files that only this user may read.
enum SecretFile {
  /// Reads a text.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - setting: the option that names the file.
  /// - Returns: the text.
  /// - Throws: `OperatingError` with the option, the path and the reason.
  static func text(_ path: String, setting: String) throws -> String {
    // A file that is missing has no mode.
    try TextFile.checkReadable(path, setting: setting)
    try check(FileStatus(path: path), "\(setting): \(path)")
    return try TextFile.read(path)
  }

  /// Checks that other users cannot read a file.
  ///
  /// - Parameters:
  ///   - status: the file's status; nil where the system does not tell it.
  ///   - name: the file in the message.
  /// - Throws: `OperatingError` with the name and the rule.
  static func check(_ status: FileStatus?, _ name: String) throws(OperatingError) {
    guard let status, status.isSecret else {
      throw OperatingError("\(name) \(FileStatus.secretRule)", code: .fileUnusable)
    }
  }

  /// Reads a JSON object.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - setting: the option that names the file.
  /// - Returns: the object.
  /// - Throws: `OperatingError` with the path and the rule.
  static func object(_ path: String, setting: String) throws -> JSONObject {
    let document: JSONValue
    let text = try text(path, setting: setting)
    do throws(JSONError) { document = try JSONValue(parsing: text) } catch {
      throw refused(path, error.sentence(in: text.utf8))
    }
    guard let object = document.object else { throw refused(path, "it must be a JSON object") }
    return object
  }

  /// The error of a file that breaks a rule.
  static func refused(_ path: String, _ rule: String) -> OperatingError {
    OperatingError("\(path): \(rule)", code: .fileUnusable)
  }
}
