internal import ArgumentParser
internal import Foundation
internal import TokenSecurityBase

/// The sources of settings: flags, then the environment, then the settings file.
extension ServiceConfiguration {
  private struct Setting {
    let name: String
    let isNumber: Bool
    let isList: Bool
    /// True where each text that is not empty is well-formed.
    let isText: Bool

    /// `IDENTITY_SERVICE_REQUEST_TIMEOUT` for `requestTimeout`.
    var variable: String { ServiceConfiguration.prefix + Self.words(name, separator: "_", folding: 0) }

    /// `--request-timeout=10`. The flag of a list is its singular.
    func argument(_ value: String) -> String {
      let words = Self.words(name, separator: "-", folding: 0x20)
      guard isList else { return "--\(words)=\(value)" }
      return words.hasSuffix("ies") ? "--\(words.dropLast(3))y=\(value)" : "--\(words.dropLast())=\(value)"
    }

    /// Splits a name before its capitals. `folding` is the case bit of the result's letters.
    private static func words(_ name: String, separator: Unicode.Scalar, folding: UInt8) -> String {
      var text: [UInt8] = []
      for byte in name.utf8 {
        if byte & 0x20 == 0 { text.append(UInt8(ascii: separator)) }
        text.append(byte & 0xDF | folding)
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  private static let prefix = "IDENTITY_SERVICE_"
  /// A flag of `serve`, and no setting.
  private static let checkFlag = "--check-config"

  /// The settings and their values, for the log. No setting is a secret; a password in a URL is left out.
  var texts: [(name: String, value: String)] {
    (config.map { [("config", $0)] } ?? [])
      + groups.flatMap { Array(Mirror(reflecting: $0).children) }.compactMap { child in
        guard let label = child.label, let text = (child.value as? any SettingText)?.text else { return nil }
        return (String(label.dropFirst()), Self.withoutPassword(text))
      }
  }

  private static func withoutPassword(_ text: String) -> String {
    guard let scheme = text.utf8.firstRange(of: "://".utf8),
      let at = text.utf8.lastIndex(of: UInt8(ascii: "@")), at > scheme.upperBound
    else { return text }
    return String(Substring(text.utf8[..<scheme.upperBound])) + "…" + String(Substring(text.utf8[at...]))
  }

  /// All settings, from the declared properties. As in ArgumentParser itself, labels of wrapped properties
  /// begin with `_`.
  private static var settings: [Setting] {
    emptyGroups.flatMap { Array(Mirror(reflecting: $0).children) }.compactMap { child in
      guard let label = child.label else { return nil }
      return Setting(
        name: String(label.dropFirst()), isNumber: child.value is Option<Int>,
        isList: child.value is Option<[String]>,
        isText: child.value is Option<String> || child.value is Option<String?>)
    }
  }

  /// Completes the flags of this command line by the other sources and checks all settings.
  ///
  /// - Parameters:
  ///   - defaults: settings of the command, which flags alone override.
  ///   - environment: the environment. Default: the process's.
  /// - Returns: the settings.
  /// - Throws: `OperatingError` that names the source, the setting and the reason.
  func completed(
    defaults: [(name: String, value: String)] = [],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> ServiceConfiguration {
    let settings = Self.settings
    var arguments: [ExactString: [String]] = [:]
    if let config { try Self.read(file: config, settings, &arguments) }
    try Self.read(environment, settings, &arguments)
    // A list in flags replaces the list of other sources; of other settings the last value is used.
    if !self.hosts.isEmpty { arguments["hosts"] = nil }
    if !self.publicPaths.isEmpty { arguments["publicPaths"] = nil }
    if !self.trustedProxies.isEmpty { arguments["trustedProxies"] = nil }
    if !self.allowedOrigins.isEmpty { arguments["allowedOrigins"] = nil }
    for (name, value) in defaults {
      for setting in settings where setting.name == name {
        arguments[ExactString(name)] = [setting.argument(value)]
      }
    }
    // The flags follow the names of the program and the command.
    let flags = CommandLine.arguments.dropFirst(2).filter { !($0 == Self.checkFlag) }
    var configuration = try Self.parse(arguments.values.flatMap { $0 } + flags)
    configuration.hosts = configuration.hosts.map(\.lowercasedASCII)
    if configuration.data == nil, configuration.store == nil,
      let folder = environment["STATE_DIRECTORY"]?.parts(at: ":", most: 1_000).first,
      folder.utf8.first == UInt8(ascii: "/")
    {
      configuration.data = "\(folder)/data"
    }
    try configuration.check()
    return configuration
  }

  /// The settings of the environment, for commands that have a few of them as flags.
  ///
  /// - Parameter environment: the environment. Default: the process's.
  /// - Returns: the settings.
  /// - Throws: `OperatingError` that names the variable and the reason.
  static func ofEnvironment(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> ServiceConfiguration {
    var arguments: [ExactString: [String]] = [:]
    try read(environment, settings, &arguments)
    return try parse(arguments.values.flatMap { $0 })
  }

  /// Reads a settings file: a JSON object whose members are settings.
  private static func read(
    file path: String, _ settings: [Setting], _ arguments: inout [ExactString: [String]]
  ) throws {
    let document: JSONValue
    let text = try TextFile.read(path)
    do throws(JSONError) { document = try JSONValue(parsing: text) } catch {
      throw OperatingError("the settings file \(path) is not JSON: \(error.sentence(in: text.utf8))")
    }
    guard let object = document.object else {
      throw OperatingError("the settings file \(path) is not a JSON object")
    }
    for member in object.members {
      guard let setting = settings.first(where: { $0.name == member.name }) else {
        let hint = hint(member.name, among: settings.map(\.name))
        throw OperatingError("\(path): unknown setting \(member.name.quoted); \(hint)")
      }
      let values =
        setting.isNumber
        ? member.value.int64.map { ["\($0)"] }
        : setting.isList ? member.value.strings : member.value.string.map { [$0] }
      guard let values else {
        let type = setting.isNumber ? "a whole number" : setting.isList ? "a list of strings" : "a string"
        throw OperatingError("\(path): the setting \(setting.name) must be \(type)")
      }
      arguments[ExactString(setting.name)] = try values.map { try checked(setting, $0, from: path) }
    }
  }

  /// Reads the variables that begin with `IDENTITY_SERVICE_`. Unknown ones are refused: a misspelt
  /// certificate would mean plain HTTP.
  private static func read(
    _ environment: [String: String], _ settings: [Setting], _ arguments: inout [ExactString: [String]]
  ) throws {
    for (variable, value) in environment
    where variable.hasPrefix(prefix)
      && ExactString(variable) != ExactString(DatabaseLocation.passwordVariable)
      && !ServiceVariables.contains(String(variable.dropFirst(prefix.count)), value)
    {
      guard let setting = settings.first(where: { $0.variable == variable }) else {
        let names = settings.map { String($0.variable.dropFirst(prefix.count)) }
        let hint = hint(String(variable.dropFirst(prefix.count)), among: names, prefix: prefix)
        throw OperatingError("unknown setting \(variable.quoted) in the environment; \(hint)")
      }
      let values =
        setting.isList
        ? value.utf8.split(separator: UInt8(ascii: ",")).map {
          String(Substring($0)).trimmingCharacters(in: .whitespaces)
        } : [value]
      arguments[ExactString(setting.name)] = try values.map { try checked(setting, $0, from: variable) }
    }
  }

  /// The names like a misspelt one, or all of them.
  private static func hint(_ word: String, among names: [String], prefix: String = "") -> String {
    let near = NearNames.of(word, among: names)
    return NearNames.question(near.map { prefix + $0 })
      ?? "the settings are \(names.map { prefix + $0 }.joined(separator: ", "))"
  }

  /// The argument for a value, which must be well-formed.
  private static func checked(_ setting: Setting, _ value: String, from source: String) throws -> String {
    let argument = setting.argument(value)
    // A check costs as much as all of a command that does little.
    if setting.isText, !value.isEmpty { return argument }
    do { _ = try parse([argument]) } catch {
      throw OperatingError("\(source): the setting \(setting.name) is malformed: \(message(for: error))")
    }
    return argument
  }
}

/// The value of a setting as text; nil for an optional setting without a value.
private protocol SettingText {
  var text: String? { get }
}

extension Option: SettingText {
  fileprivate var text: String? {
    switch wrappedValue {
    case let list as [String]: list.isEmpty ? nil : list.joined(separator: ",")
    case let value as (any OptionalSetting): value.text
    default: "\(wrappedValue)"
    }
  }
}

private protocol OptionalSetting {
  var text: String? { get }
}

extension Optional: OptionalSetting {
  fileprivate var text: String? { map { "\($0)" } }
}
