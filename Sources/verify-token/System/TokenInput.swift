internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform
internal import JOSE

/// Where a token comes from: an argument, or standard input.
enum TokenInput {
  /// The token without what stands around it: white space at both ends, a leading `Bearer `.
  ///
  /// - Throws: `tokenTooLarge` before more than `limit` bytes are held.
  static func read(_ argument: String?, limit: Int) throws -> String {
    guard let argument, argument != "-" else {
      if isatty(STDIN_FILENO) == 1 {
        StandardError.write("verify-token: reading a token from standard input\n")
      }
      guard
        let contents = try InputFile.read(STDIN_FILENO, limit: limit + 64, name: "standard input")
      else { throw JOSEError.tokenTooLarge(size: nil, limit: limit) }
      return strip(
        contents.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in
          [UInt8](unwipedCopy: bytes)
        })
    }
    if StandardError.isTerminal {
      StandardError.write(
        "verify-token: note: a token in an argument can be seen by other users of this machine\n")
    }
    return strip(Array(argument.utf8))
  }

  /// Text that is not UTF-8 comes out with replacement characters, which no token has.
  static func strip(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    var rest = bytes[...]
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    // RFC 6750 section 2.1; the scheme's name has no case (RFC 9110 section 11.1).
    if rest.count > 7, String(decoding: rest.prefix(7), as: UTF8.self).lowercasedASCII == "bearer " {
      rest = rest.dropFirst(7)
      while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    }
    return String(decoding: rest, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
