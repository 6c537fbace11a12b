internal import TokenSecurityEncodings

/// The names of settings in the environment and in a file: a misspelt one is refused, since a certificate that is not
/// found would mean plain HTTP.
enum SettingNames {
  private static let all = [
    "account", "address", "authorities", "certificate", "connections", "connectionsPerAddress", "data",
    "hosts",
    "idleTimeout", "issuer", "logLevel", "port", "privateKey", "rate", "region", "requestTimeout",
    "responseTimeout", "rotation", "shutdownTimeout",
  ]
  private static let prefix = "IDENTITY_SERVICE_"

  /// Checks the members of a settings file.
  ///
  /// - Throws: `OperatingError` where the file cannot be read, is not a JSON object or has an unknown member.
  static func check(file path: String) throws {
    guard let text = try? TextFile.read(path), case .object(let settings)? = try? JSONValue(parsing: text)
    else {
      throw OperatingError(
        "the settings in \(path) cannot be read: there is no such file, or it is not a JSON object")
    }
    for name in settings.names where !all.contains(name) {
      throw OperatingError(
        "\(path): there is no setting \(name.quoted); there are \(all.joined(separator: ", "))")
    }
  }

  /// Checks the variables of the environment that begin with `IDENTITY_SERVICE_`.
  ///
  /// - Throws: `OperatingError` for an unknown one.
  static func check(environment names: some Sequence<String>) throws {
    let known = all.map { prefix + variable($0) }
    for name in names where name.hasPrefix(prefix) && !known.contains(name) {
      throw OperatingError(
        "there is no setting \(name.quoted) in the environment; there are \(known.joined(separator: ", "))")
    }
  }

  /// `requestTimeout` is `REQUEST_TIMEOUT` in the environment.
  private static func variable(_ name: String) -> String {
    var text: [UInt8] = []
    for byte in name.utf8 {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isCapital { text.append(UInt8(ascii: "_")) }
      text.append(isCapital ? byte : byte - 0x20)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
