internal import Hummingbird
internal import ServiceOperations
internal import TokenSecurityEncodings

extension Request {
  /// The media type in `Content-Type`, in lowercase and without parameters.
  var mediaType: String {
    let value = headers[.contentType] ?? ""
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let type = value.utf8.prefix { $0 != UInt8(ascii: ";") }.drop(while: isSpace)
    return String(decoding: type.reversed().drop(while: isSpace).reversed(), as: UTF8.self).lowercasedASCII
  }
}

extension OperationAccess {
  /// True for calls of developers that change something and are executed once.
  var isAdministering: Bool {
    if case .signed(let signature) = self { signature.developer == .administering } else { false }
  }
}
