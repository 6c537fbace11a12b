internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A shared file of AWS's programs, `~/.aws/config` or `~/.aws/credentials`: sections of settings.
///
/// The bytes are not copied, and are wiped. Settings are ranges of them.
final class SharedFile: Sendable {
  let path: String
  private let bytes: SecretBytes
  private let sections: [ExactString: [ExactString: Range<Int>]]

  /// The form of the section names of a file.
  enum Kind {
    /// `[profile NAME]`, with quotes around a name with spaces, and `[default]`.
    case config
    /// `[NAME]`, where the name may have spaces.
    case credentials
  }

  init(path: String, _ bytes: consuming SecretBytes, _ kind: Kind) throws(CredentialsError) {
    self.path = path
    sections = try bytes.withBytes { span throws(CredentialsError) in try Self.read(span, path, kind) }
    self.bytes = bytes
  }

  func has(_ section: String) -> Bool { sections[ExactString(section)] != nil }

  func text(_ setting: String, of section: String) -> String? {
    guard let range = range(setting, of: section) else { return nil }
    return bytes.withBytes { String(decoding: [UInt8](unwipedCopy: $0.extracting(range)), as: UTF8.self) }
  }

  func secret(_ setting: String, of section: String) -> SecretBytes? {
    guard let range = range(setting, of: section) else { return nil }
    return bytes.withBytes { SecretBytes($0.extracting(range)) }
  }

  private func range(_ setting: String, of section: String) -> Range<Int>? {
    sections[ExactString(section)]?[ExactString(setting)]
  }

  private static func read(
    _ bytes: borrowing Span<UInt8>, _ path: String, _ kind: Kind
  ) throws(CredentialsError) -> [ExactString: [ExactString: Range<Int>]] {
    var sections: [ExactString: [ExactString: Range<Int>]] = [:]
    // Nil in a section that is not a profile. Its settings are skipped.
    var section: ExactString?
    var hasSection = false
    // The indentation of the last setting of the section; nil before its first one.
    var indentation: Int?
    var start = 0
    var line = 0
    while start < bytes.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: bytes, from: start) ?? bytes.count
      line += 1
      let whole = start..<end
      start = end + 1
      let range = trim(bytes, whole)
      guard let first = range.first.map({ bytes[$0] }) else { continue }
      if first == UInt8(ascii: "#") || first == UInt8(ascii: ";") { continue }
      // Lines with more indentation belong to the setting above.
      let indent = range.lowerBound - whole.lowerBound
      if let indentation, indent > indentation { continue }
      if first == UInt8(ascii: "[") {
        guard let close = ByteSearch.firstIndex(of: UInt8(ascii: "]"), in: bytes, from: range.lowerBound),
          close < range.upperBound
        else { throw .fileMalformed(path: path, line: line, reason: "a section name without ]") }
        section = name(text(bytes, trim(bytes, range.lowerBound + 1..<close)), kind).map { ExactString($0) }
        hasSection = true
        indentation = nil
        if let section, sections[section] == nil { sections[section] = [:] }
        continue
      }
      guard hasSection else {
        throw .fileMalformed(path: path, line: line, reason: "a setting before the first section")
      }
      guard let equals = ByteSearch.firstIndex(of: UInt8(ascii: "="), in: bytes, from: range.lowerBound),
        equals < range.upperBound, equals > range.lowerBound
      else {
        throw .fileMalformed(path: path, line: line, reason: "not a section, a setting or a comment")
      }
      indentation = indent
      guard let section else { continue }
      let setting = text(bytes, trim(bytes, range.lowerBound..<equals)).lowercasedASCII
      sections[section]?[ExactString(setting)] = withoutComment(
        bytes, trim(bytes, equals + 1..<range.upperBound))
    }
    return sections
  }

  private static func name(_ header: String, _ kind: Kind) -> String? {
    switch kind {
    case .credentials: return header.nonempty
    case .config:
      if header == "default" { return header }
      // A name with a space is quoted: AWS CLI writes [profile 'my dev'].
      guard let words = ProcessCredentials.words(header), words.count == 2, words[0] == "profile" else {
        return nil
      }
      return words[1]
    }
  }

  // A # or ; after white space begins a comment.
  private static func withoutComment(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    for index in range.dropFirst()
    where (bytes[index] == UInt8(ascii: "#") || bytes[index] == UInt8(ascii: ";"))
      && (bytes[index - 1] == 0x20 || bytes[index - 1] == 0x09)
    { return trim(bytes, range.lowerBound..<index) }
    return range
  }

  private static func trim(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var low = range.lowerBound
    var high = range.upperBound
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    while low < high, isSpace(bytes[low]) { low += 1 }
    while low < high, isSpace(bytes[high - 1]) { high -= 1 }
    return low..<high
  }

  private static func text(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: [UInt8](unwipedCopy: bytes.extracting(range)), as: UTF8.self)
  }
}

/// Both shared files.
struct SharedFiles: Sendable {
  let config: SharedFile?
  let credentials: SharedFile?

  /// - Parameters:
  ///   - configPath: default: `AWS_CONFIG_FILE`, or `~/.aws/config`.
  ///   - credentialsPath: default: `AWS_SHARED_CREDENTIALS_FILE`, or `~/.aws/credentials`.
  /// - Throws: `fileUnreadable`, `fileMalformed`.
  init(configPath: String?, credentialsPath: String?) throws(CredentialsError) {
    let home = SystemFiles.variable("HOME") ?? ""
    func file(
      _ given: String?, _ variable: String, _ usual: String, _ kind: SharedFile.Kind
    ) throws(CredentialsError) -> SharedFile? {
      let named = given ?? SystemFiles.variable(variable)
      let path = named ?? "\(home)/.aws/\(usual)"
      guard let bytes = try SystemFiles.read(path) else {
        guard given == nil else { throw .fileUnreadable(path: path, reason: "the file does not exist") }
        return nil
      }
      return try SharedFile(path: path, bytes, kind)
    }
    config = try file(configPath, "AWS_CONFIG_FILE", "config", .config)
    credentials = try file(credentialsPath, "AWS_SHARED_CREDENTIALS_FILE", "credentials", .credentials)
  }

  func has(_ profile: String) -> Bool { config?.has(profile) == true || credentials?.has(profile) == true }

  /// A setting of a profile. The credentials file has precedence.
  func text(_ setting: String, of profile: String) -> String? {
    credentials?.text(setting, of: profile) ?? config?.text(setting, of: profile)
  }

  func secret(_ setting: String, of profile: String) -> SecretBytes? {
    credentials?.secret(setting, of: profile) ?? config?.secret(setting, of: profile)
  }
}
