public import SigV4
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

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

  static func read(_ output: borrowing SecretBytes) throws(CredentialsError) -> Credentials {
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
    func text(_ name: String) -> String? { document.member(name).flatMap { document.value(at: $0).string } }
    guard let id = text("AccessKeyId"), let place = document.member("SecretAccessKey"),
      document.kind(at: place) == .string, !document.isEscaped(at: place)
    else { throw .processOutput("AccessKeyId or SecretAccessKey is missing, or the secret has escapes") }
    // From the document's bytes, because a String cannot be wiped.
    let secret = document.withBytes(at: place) { (bytes: borrowing Span<UInt8>) -> SecretBytes in
      SecretBytes(bytes)
    }
    var expiration: Timestamp?
    if let end = text("Expiration") {
      guard let date = Timestamp(iso8601: end) else { throw .processOutput("Expiration is not a date") }
      expiration = date
    }
    return try Credentials.from(id, secret, text("SessionToken"), expiration)
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
