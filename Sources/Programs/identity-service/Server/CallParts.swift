internal import Hummingbird
internal import ServiceOperations
internal import TokenSecurityBase

extension Request {
  /// True where `Content-Type`, without its parameters, is this type.
  func hasMediaType(_ type: String) -> Bool {
    let values = headers[values: .contentType]
    // Of several fields the value is a list (RFC 9110 section 5.3).
    let value = values.count == 1 ? values[0] : values.joined(separator: ", ")
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let bytes = value.utf8.span
    var (start, end) = (0, 0)
    while end < bytes.count, bytes[end] != UInt8(ascii: ";") { end += 1 }
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    let expected = type.utf8.span
    guard end - start == expected.count else { return false }
    for index in expected.indices
    where bytes[start + index].lowercasedASCII != expected[index].lowercasedASCII { return false }
    return true
  }
}

extension OperationDeclaration {
  /// True for calls that change something, and would change it again: those of developers, and of identities that their
  /// roles' policies allow what developers may.
  func isKeptForRepetitions(ofDeveloper isDeveloper: Bool) -> Bool {
    guard case .signed(let signature) = access, signature.developer == .administering else { return false }
    return !isRefusedAgain && (isDeveloper || !signature.identity)
  }
}
