internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Runs programs for ``ProcessCredentials``. `SigV4Credentials` has an implementation over swift-subprocess.
///
/// An implementation must not use a shell, must end the program after a minute, must read at most 64 KiB of
/// its output, and must not log it.
public protocol CredentialsProcess: Sendable {
  /// Runs a program.
  ///
  /// - Parameter arguments: the program and its arguments.
  /// - Returns: its standard output.
  /// - Throws: `processFailed`.
  func run(_ arguments: [String]) async throws(CredentialsError) -> SecretBytes
}

/// Credentials from the output of a program, `credential_process` of a shared file: one JSON object with
/// `Version` 1, `AccessKeyId`, `SecretAccessKey`, and optionally `SessionToken` and `Expiration`.
public struct ProcessCredentials: CredentialsSource {
  private let arguments: [String]
  private let process: any CredentialsProcess

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - command: a program and its arguments, with quotes and backslashes like a shell. No other shell
  ///     syntax is supported.
  ///   - process: runs the program.
  /// - Throws: `processFailed` for an empty command and for a quote without an end.
  public init(command: String, process: any CredentialsProcess) throws(CredentialsError) {
    guard let words = Self.words(command), !words.isEmpty else {
      throw .processFailed("has an empty command, or a quote without an end")
    }
    arguments = words
    self.process = process
  }

  /// Runs the program and parses its output.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    let output = try await process.run(arguments)
    return try Self.read(output)
  }

  /// Reads the object.
  ///
  /// - Throws: `processOutput`.
  package static func read(_ output: borrowing SecretBytes) throws(CredentialsError) -> Credentials {
    var document: JSONDocument
    do {
      document = try JSONDocument(output.withBytes { [UInt8](unwipedCopy: $0) })
    } catch {
      throw .processOutput("it is not JSON")
    }
    defer { document.wipe { _ = SecretBytes(wiping: &$0) } }
    guard let version = document.member("Version"), document.value(at: version).number?.int64 == 1 else {
      throw .processOutput("Version is not 1")
    }
    guard let id = try text("AccessKeyId", of: document), let place = document.member("SecretAccessKey"),
      document.kind(at: place) == .string
    else { throw .processOutput("AccessKeyId or SecretAccessKey is missing") }
    let secret = secret(at: place, of: document)
    var expiration: Timestamp?
    if let end = try text("Expiration", of: document) {
      guard let date = Self.date(end) else { throw .processOutput("Expiration is not a date") }
      expiration = date
    }
    return try Credentials.from(id, secret, try text("SessionToken", of: document)?.nonempty, expiration)
  }

  /// The value of a member; nil when it is missing or null.
  private static func text(
    _ name: String, of document: borrowing JSONDocument
  ) throws(CredentialsError) -> String? {
    guard let place = document.member(name), document.kind(at: place) != .null else { return nil }
    guard let text = document.value(at: place).string else { throw .processOutput("\(name) is not a text") }
    return text
  }

  /// From the document's bytes, because a String cannot be wiped.
  private static func secret(
    at place: JSONDocument.Place, of document: borrowing JSONDocument
  ) -> SecretBytes {
    // PHP escapes each slash.
    if document.isEscaped(at: place) {
      var bytes = document.unescaped(at: place)
      return SecretBytes(wiping: &bytes)
    }
    return document.withBytes(at: place) { (bytes: borrowing Span<UInt8>) -> SecretBytes in
      SecretBytes(bytes)
    }
  }

  /// Reads `2030-01-01T00:00:00Z` and other forms of ISO 8601 with a zone: a fraction, an offset with or
  /// without a colon, a space instead of the T.
  private static func date(_ text: String) -> Timestamp? {
    if let basic = try? Timestamp(amzDate: text) { return basic }
    var bytes = Array(text.utf8)
    guard bytes.count <= 40 else { return nil }
    if bytes.count > 10, bytes[10] == 0x20 { bytes[10] = UInt8(ascii: "T") }
    if let sign = bytes.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }),
      sign + 5 == bytes.count
    {
      bytes.insert(UInt8(ascii: ":"), at: sign + 3)
    }
    return Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self))
  }

  /// The words of a command line; nil for a quote without an end.
  static func words(_ command: String) -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    // Two quotes with nothing between them are an empty word.
    var isInWord = false
    var quote: UInt8?
    var isEscaped = false
    for byte in command.utf8 {
      if isEscaped {
        word.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        isEscaped = true
        isInWord = true
      } else if let open = quote {
        if byte == open { quote = nil } else { word.append(byte) }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
        isInWord = true
      } else if byte == 0x20 || byte == 0x09 {
        if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
        isInWord = false
      } else {
        word.append(byte)
        isInWord = true
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
