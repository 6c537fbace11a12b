internal import TokenSecurityBase

/// A route: which tokens it accepts, and which claims it passes on.
public struct AuthorizationRoute: Sendable {
  /// The name in the path of requests: 1 to 64 letters, digits, hyphens and underscores.
  public let name: String
  /// The name of the policy of its tokens.
  public let policy: String
  /// The scopes that a token must all have.
  public let scopes: [String]
  /// The claim with the scopes: a text with spaces between them, or a list.
  public let scopeClaim: String
  /// The accepted authentication context classes (`acr`); empty for any (RFC 9470).
  public let contexts: [String]
  /// How proofs of tokens that are bound to a key are checked; nil for no proofs.
  public let proof: ProofRules?
  /// Where the client's certificate is; nil for no certificates.
  public let clientCertificate: ClientCertificateField?
  /// The metadata of the protected resource; nil for none.
  public let metadata: ResourceMetadata?
  /// The header fields with claims, in the order of the configuration.
  public let headers: [ClaimHeader]
  /// The `realm` of challenges; nil for none.
  public let realm: String?

  init(_ name: String, _ object: inout DocumentObject) throws(PolicyDocumentError) {
    self.name = name
    policy = try object.requiredText("policy")
    scopes = try object.texts("scopes") ?? []
    for scope in scopes where !Self.isScope(scope) {
      throw object.refused("scopes", "have \(scope.quoted), which is no scope (RFC 6749 section 3.3)")
    }
    scopeClaim = try object.text("scope_claim") ?? "scope"
    realm = try object.text("realm")
    if let realm, !realm.utf8.allSatisfy({ Self.isScopeByte($0) || $0 == 0x20 }) || realm.utf8.count > 128 {
      throw object.refused(
        "realm", "must have at most 128 characters of visible ASCII without quotation marks and backslashes")
    }
    contexts = try object.texts("acr") ?? []
    for context in contexts where !Self.isScope(context) {
      throw object.refused("acr", "has \(context.quoted), which a challenge cannot have")
    }
    proof = try object.object("dpop").map { object throws(PolicyDocumentError) in
      var object = object
      return try ProofRules(&object)
    }
    clientCertificate = try object.object("client_certificate").map { object throws(PolicyDocumentError) in
      var object = object
      return try ClientCertificateField(&object)
    }
    metadata =
      object.value("resource_metadata") == nil
      ? nil
      : try ResourceMetadata(&object, "resource_metadata", proof: proof, certificate: clientCertificate)
    var headers: [ClaimHeader] = []
    for member in try object.headerFields() {
      let path = member.value.string.map { [$0] } ?? member.value.strings ?? []
      guard (1...8).contains(path.count), path.allSatisfy({ !$0.isEmpty }) else {
        throw object.refused(
          "headers", "\(member.name.quoted) must be the name of a claim, or a list of 1 to 8 names")
      }
      headers.append(ClaimHeader(name: member.name, path: path))
    }
    self.headers = headers
  }

  /// The methods of `cnf` that this route checks.
  var checkedMethods: [String] {
    (proof == nil ? [] : ["jkt"]) + (clientCertificate == nil ? [] : ["x5t#S256"])
  }

  /// The scopes of a token.
  func scopes(in claims: TokenClaims) -> [String] {
    if let value = claims[scopeClaim], case .array = value {
      return AccessTokenRules.ScopeClaim.array(scopeClaim).scopes(in: claims)
    }
    return AccessTokenRules.ScopeClaim.text(scopeClaim).scopes(in: claims)
  }

  private static func isScope(_ text: String) -> Bool {
    text.utf8.count <= 256 && text.utf8.allSatisfy(isScopeByte)
  }

  /// The characters of scopes, which need no escape in a challenge.
  private static func isScopeByte(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
          || $0 == 0x5F
      }
  }
}
