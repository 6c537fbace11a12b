internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// Settings with secrets, in files that only this user may read.
enum SecretFile {
  /// Reads a text.
  ///
  /// - Throws: `OperatingError` with the path and the reason.
  static func text(_ path: String) throws -> String {
    guard FileStatus(path: path)?.isSecret == true else {
      throw OperatingError(
        "\(path) must be a regular file of this user that others cannot read (chmod 600): it has a secret",
        code: .fileUnusable)
    }
    return try TextFile.read(path)
  }

  /// Reads a JSON object.
  ///
  /// - Throws: `OperatingError` with the path and the rule.
  static func object(_ path: String) throws -> JSONObject {
    let document: JSONValue
    let text = try text(path)
    do throws(JSONError) { document = try JSONValue(parsing: text) } catch { throw refused(path, "\(error)") }
    guard let object = document.object else { throw refused(path, "it must be a JSON object") }
    return object
  }

  /// The error of a file that breaks a rule.
  static func refused(_ path: String, _ rule: String) -> OperatingError {
    OperatingError("\(path): \(rule)", code: .fileUnusable)
  }
}
