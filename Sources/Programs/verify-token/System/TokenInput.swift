internal import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Reads a token from an argument or from standard input.
enum TokenInput {
  /// Reads a token. White space at both ends and a leading `Bearer ` are removed.
  ///
  /// - Throws: `tokenTooLarge` if standard input has more than about `limit` bytes. It is not read to its
  ///   end.
  static func read(_ argument: String?, limit: Int) throws -> String {
    guard let argument, argument != "-" else {
      if StandardInput.isTerminal {
        StandardError.write("verify-token: reading a token from standard input\n")
      }
      guard let contents = try InputFile.read(STDIN_FILENO, limit: limit + 64, name: "standard input") else {
        throw JOSEError.tokenTooLarge(size: nil, limit: limit)
      }
      if contents.withBytes({ ByteOrderMark.beginsUTF16($0) }) {
        StandardError.write("verify-token: note: the input is UTF-16; save it as UTF-8\n")
      }
      let token = strip(InputFile.unwiped(contents))
      explain(token)
      return token
    }
    if StandardError.isTerminal {
      StandardError.write("verify-token: note: other users of this machine can see a token in an argument\n")
    }
    let token = strip(Array(argument.utf8))
    explain(token)
    return token
  }

  /// Writes a note about several tokens, or the name of a file, instead of a token. The token itself is
  /// refused.
  private static func explain(_ text: String) {
    // No token has a space or a slash.
    guard text.utf8.contains(where: { $0.isASCIISpace || $0 == UInt8(ascii: "/") }) else { return }
    let words = text.utf8.split(whereSeparator: \.isASCIISpace)
    let tokens = words.filter { word in word.count(where: { $0 == UInt8(ascii: ".") }) == 2 }.count
    if tokens > 1, tokens == words.count {
      StandardError.write(
        "verify-token: note: the input has \(tokens) tokens; --batch verifies one per line\n")
    } else if tokens == 0, words.count == 1 {
      // Base64 has slashes: without such a file, the text can be a credential, and is not printed.
      let isFile = unsafe text.utf8.count <= 1_024 && access(text, F_OK) == 0
      StandardError.write(
        isFile
          ? "verify-token: note: the token is the name of a file; to read the token from it, use < \(text.visible(upTo: 1_024))\n"
          : "verify-token: note: a token has no \"/\"; to read a token from a file, use < FILE\n")
    }
  }

  /// Refuses the name of a file where a token or URL is expected.
  ///
  /// - Parameters:
  ///   - argument: the token or URL; nil and `-` for standard input.
  ///   - kind: what is expected.
  ///   - isValid: true for an argument of the expected form. A file of that name is ignored.
  /// - Throws: `UsageError` if there is a file of that name.
  static func refuseFile(_ argument: String?, expected kind: String, unless isValid: (String) -> Bool) throws
  {
    guard let argument, argument != "-", unsafe access(argument, F_OK) == 0, !isValid(argument) else {
      return
    }
    throw UsageError(
      "\(argument) is a file, not a \(kind); to read the \(kind) from it, use < \(argument)",
      code: UsageError.optionsWrong)
  }

  /// Refuses the name of a file where a token is expected.
  static func refuseFile(_ argument: String?) throws {
    try refuseFile(argument, expected: "token") { (try? UnverifiedToken(strip(Array($0.utf8)))) != nil }
  }

  /// The token without white space at both ends and without `Bearer `. Bytes that are not UTF-8 become
  /// replacement characters, which no token contains.
  static func strip(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    var rest = bytes[...]
    while let last = rest.last, last.isASCIISpace { rest = rest.dropLast() }
    while let first = rest.first, first.isASCIISpace { rest = rest.dropFirst() }
    // RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1).
    if rest.count > 7, String(decoding: rest.prefix(7), as: UTF8.self).lowercasedASCII == "bearer " {
      rest = rest.dropFirst(7)
      while let first = rest.first, first.isASCIISpace { rest = rest.dropFirst() }
    }
    return String(decoding: rest, as: UTF8.self)
  }
}
