internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// A response of the JSON protocol.
struct ServiceResponse {
  private let document: JSONDocument

  /// Parses a response. Throws `refused` for an error response.
  init(_ bytes: borrowing Span<UInt8>, status: Int) throws(IdentityClientError) {
    let text = [UInt8](unwipedCopy: bytes)
    guard
      let document = try? JSONDocument(
        text.isEmpty ? Array("{}".utf8) : text, limits: JSONLimits(size: 262_144, depth: 16)),
      document.kind(at: 0) == .object
    else { throw .responseMalformed(rule: "it is not a JSON object, and its status is \(status)") }
    self.document = document
    guard status == 200 else {
      let type = document.member("__type").flatMap { document.string(at: $0) } ?? ""
      let message =
        (document.member("message") ?? document.member("Message")).flatMap { document.string(at: $0) } ?? ""
      // Some services send a namespace, `com.amazonaws.cognito.identity.model#`.
      throw .refused(type: type.lastPart(at: "#"), message: message)
    }
  }

  /// The identity id, checked because it is stored and sent again.
  func identity() throws(IdentityClientError) -> String {
    let id = try text("IdentityId")
    guard RequestIDs.isIdentity(id) else {
      throw .responseMalformed(rule: "its IdentityId \(id.quoted) is not an identity id")
    }
    return id
  }

  func place(_ name: String, in object: String? = nil) throws(IdentityClientError) -> JSONDocument.Place {
    var container = 0
    if let object {
      guard let found = document.member(object), document.kind(at: found) == .object else {
        throw .responseMalformed(rule: "it has no \(object)")
      }
      container = found
    }
    guard let place = document.member(name, of: container) else {
      throw .responseMalformed(rule: "it has no \(name)")
    }
    return place
  }

  func text(_ name: String, in object: String? = nil) throws(IdentityClientError) -> String {
    guard let text = document.string(at: try place(name, in: object)), !text.isEmpty else {
      throw .responseMalformed(rule: "its \(name) is not a non-empty string")
    }
    return text
  }

  /// Whole seconds; a fraction is dropped.
  func number(_ name: String, in object: String? = nil) throws(IdentityClientError) -> Int64 {
    let place = try place(name, in: object)
    guard let number = document.number(at: place) else {
      throw .responseMalformed(rule: "its \(name) is not a number")
    }
    if let whole = number.int64 { return whole }
    guard let value = Double(number.description), (0..<9e15).contains(value) else {
      throw .responseMalformed(rule: "its \(name) is not a number of seconds")
    }
    return Int64(value)
  }

  func secret(_ place: JSONDocument.Place) throws(IdentityClientError) -> SecretBytes {
    guard document.kind(at: place) == .string, !document.isEscaped(at: place) else {
      throw .responseMalformed(rule: "its secret is not a string")
    }
    return document.withBytes(at: place) { SecretBytes($0) }
  }
}
