internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// Settings with secrets, in files of mode 600.
enum SecretFile {
  /// Reads a JSON object.
  ///
  /// - Throws: `OperatingError` with the path and the rule.
  static func object(_ path: String) throws -> JSONObject {
    guard FileStatus(path: path)?.isSecret == true else {
      throw OperatingError(
        "\(path) must be a regular file of this user that others cannot read (chmod 600): it has secrets",
        code: .fileUnusable)
    }
    let document: JSONValue
    let text = try TextFile.read(path)
    do throws(JSONError) { document = try JSONValue(parsing: text) } catch { throw refused(path, "\(error)") }
    guard let object = document.object else { throw refused(path, "it must be a JSON object") }
    return object
  }

  /// The error of a file that breaks a rule.
  static func refused(_ path: String, _ rule: String) -> OperatingError {
    OperatingError("\(path): \(rule)", code: .fileUnusable)
  }
}
