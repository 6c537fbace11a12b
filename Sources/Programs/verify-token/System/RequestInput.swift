internal import SigV4
internal import TokenSecurityBase

/// Reads requests.
enum RequestInput {
  static let limit = 16 << 20
  static let bodyLimit = 1 << 30

  static func read(_ path: String?) throws -> [UInt8] { try InputFile.bytes(path ?? "-", limit: limit) }
}

/// Reads a request from the output of `curl -v`.
enum CurlVerbose {
  /// The lines that begin with `>`, up to the empty one. curl does not show the body.
  static func message(_ bytes: [UInt8]) throws -> HTTPMessage {
    var text: [UInt8] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    where line.first == UInt8(ascii: ">") {
      let rest = line.dropFirst(line.dropFirst().first == 0x20 ? 2 : 1)
      text += rest + [0x0A]
      if rest.allSatisfy({ $0 == 0x0D || $0 == 0x20 }) { break }
    }
    guard !text.isEmpty else { throw SigV4Error.messageMalformed("no line begins with >") }
    return try HTTPMessage(parsing: text)
  }
}
