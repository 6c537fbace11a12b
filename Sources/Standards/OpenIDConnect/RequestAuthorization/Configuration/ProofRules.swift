public import HTTPExchange
internal import JOSE
internal import TokenSecurityBase

/// How a route checks the DPoP proofs of requests (RFC 9449 section 7).
public struct ProofRules: Sendable, Hashable {
  /// The address by which clients know the application: scheme, host and port. `htu` of a proof is compared with it and the
  /// path of the request, never with a `Host` field.
  public let address: HTTPURL
  /// The field in which the proxy passes on the request's method; `:method` where it asks with that method.
  public let methodField: String
  /// The field in which the proxy passes on the request's target, its path and query; `:path` where it asks with that path
  /// after the route's name.
  public let targetField: String
  /// Whether a token must be bound to a proof's key (`jkt`).
  public let isRequired: Bool

  init(_ object: inout DocumentObject) throws(PolicyDocumentError) {
    let text = try object.requiredText("address")
    guard let address = try? HTTPURL(text), address.path == "/", address.query == nil,
      text.utf8.last != UInt8(ascii: "/"),
      address.isSecure || address.isLoopback
    else {
      throw object.refused(
        "address", "is \(text.quoted) and must be https://HOST or https://HOST:PORT, without a path")
    }
    self.address = address
    (methodField, targetField) = try object.requestLineFields()
    isRequired = try object.bool("required")
    try object.refuseOthers()
  }

  /// The accepted algorithms, for challenges (RFC 9449 section 7.1).
  static let algorithmNames = Algorithm.asymmetric.map(\.name).sorted().joined(separator: " ")

  /// The URL of a request, without its query; nil for a target that no URL has.
  func address(of target: String) -> HTTPURL? {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard path.first == UInt8(ascii: "/") else { return nil }
    return try? HTTPURL(address.description + String(Substring(path)))
  }
}

extension DocumentObject {
  /// The fields in which a proxy passes on the request's method and target: `method_header` and `target_header`.
  package mutating func requestLineFields() throws(PolicyDocumentError) -> (method: String, target: String) {
    (
      method: try fieldName("method_header", or: ":method") ?? "X-Original-Method",
      target: try fieldName("target_header", or: ":path") ?? "X-Original-URI"
    )
  }

  /// The name of a header field: letters, digits and hyphens, or one other text; nil if the member is absent.
  package mutating func fieldName(_ name: String, or other: String? = nil) throws(PolicyDocumentError)
    -> String?
  {
    guard let text = try text(name) else { return nil }
    if let other, text.isIdentical(to: other) { return text }
    guard ClaimHeader.hasFieldCharacters(text) else {
      throw refused(name, "is \(text.quoted); names of fields are 1 to 64 letters, digits and hyphens")
    }
    return text
  }
}
