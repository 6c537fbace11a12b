internal import Encodings

/// The header `Authorization` of a signed request: an algorithm, then `Credential`, `SignedHeaders` and `Signature`,
/// each once, in any order, with commas between them.
struct AuthorizationHeader {
  let algorithm: SigningAlgorithm
  let credential: [UInt8]
  let signedHeaders: [UInt8]
  let signature: [UInt8]

  init(_ value: [UInt8]) throws(SigV4Error) {
    let text = Self.trimmed(value[...])
    guard text.count <= 8_192 else { throw .authorizationMalformed("it has \(text.count) bytes") }
    guard let space = text.firstIndex(of: UInt8(ascii: " ")) else {
      throw .authorizationMalformed("there is nothing behind the algorithm")
    }
    let name = String(decoding: text[..<space], as: UTF8.self)
    guard let algorithm = SigningAlgorithm(rawValue: name) else { throw .algorithmUnknown(name) }
    var credential: [UInt8]?
    var signedHeaders: [UInt8]?
    var signature: [UInt8]?
    for part in text[space...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let pair = Self.trimmed(part)
      guard let mark = pair.firstIndex(of: UInt8(ascii: "=")) else {
        throw .authorizationMalformed("a part has no =")
      }
      let value = Array(pair[(mark + 1)...])
      func set(_ place: inout [UInt8]?, _ name: String) throws(SigV4Error) {
        guard place == nil else { throw .parameterRepeated(name) }
        place = value
      }
      switch String(decoding: pair[..<mark], as: UTF8.self) {
      case "Credential": try set(&credential, "Credential")
      case "SignedHeaders": try set(&signedHeaders, "SignedHeaders")
      case "Signature": try set(&signature, "Signature")
      case let other: throw .parameterUnexpected(other)
      }
    }
    guard let credential else { throw .parameterMissing("Credential") }
    guard let signedHeaders else { throw .parameterMissing("SignedHeaders") }
    guard let signature else { throw .parameterMissing("Signature") }
    self.algorithm = algorithm
    self.credential = credential
    self.signedHeaders = signedHeaders
    self.signature = signature
  }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
    return rest
  }

  /// True where a value begins like one of ours: other schemes are for others to judge.
  static func isOurs(_ value: [UInt8]) -> Bool { value.starts(with: Array("AWS4-".utf8)) }
}
