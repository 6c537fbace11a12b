public import TokenSecurityEncodings

/// A JOSE header (RFC 7515 section 4): what a token says about itself.
///
/// A header is a claim like any other until the signature holds, and a choice of the sender's even
/// then. It never decides which key or algorithm is trusted.
public struct JOSEHeader: Sendable, Hashable {
  let document: JSONDocument
  let places: Places

  /// Where the parameters stand that the rules here are about; -1 where they do not.
  struct Places: Sendable, Hashable {
    var algorithm = -1
    var keyID = -1
    var type = -1
    var contentType = -1
    var critical = -1
    var unencoded = -1
    /// The first of `jku`, `jwk`, `x5u`, `x5c`.
    var keySource = -1
    /// The first of `enc`, `zip` and the other parameters of JWE.
    var encryption = -1
  }

  init(_ bytes: [UInt8], limits: TokenLimits) throws(JOSEError) {
    document = try JSONDocument.object(bytes, in: .header, limits: limits)
    places = Self.places(document)
  }

  init(_ object: JSONObject, limits: TokenLimits) throws(JOSEError) {
    try self.init(JSONWriter.write(object), limits: limits)
  }

  /// The parameters as JSON, in their order.
  public var parameters: JSONObject { document.object() }

  /// The parameter called `name`, or nil.
  public subscript(name: String) -> JSONValue? {
    document.member(name).map { document.value(at: $0) }
  }

  /// `alg` as it stands, or nil where it is not a string.
  public var algorithmName: String? { string(places.algorithm) }
  /// `alg`, or nil where it names none that is known here.
  public var algorithm: Algorithm? { algorithmName.flatMap(Algorithm.init(name:)) }
  /// `kid`, or nil where it is not a string.
  public var keyID: String? { string(places.keyID) }
  /// `typ`, or nil where it is not a string.
  public var type: String? { string(places.type) }
  /// `cty`, or nil where it is not a string.
  public var contentType: String? { string(places.contentType) }

  private func string(_ place: Int) -> String? {
    place < 0 ? nil : document.string(at: place)
  }

  private static func places(_ document: JSONDocument) -> Places {
    var places = Places()
    document.forEachMember(of: 0) { (name: Int, value: Int) in
      // Names that are written with escapes mean the same (RFC 8259 section 8.3); no other name that
      // matters here is longer than four bytes.
      guard document.isEscaped(at: name) || document.length(at: name) <= 4 else { return }
      if let text = document.string(at: name) { note(text, name, value, &places) }
    }
    return places
  }

  private static func note(_ text: String, _ name: Int, _ value: Int, _ places: inout Places) {
    switch text {
    case "alg": places.algorithm = value
    case "kid": places.keyID = value
    case "typ": places.type = value
    case "cty": places.contentType = value
    case "crit": places.critical = value
    case "b64": places.unencoded = value
    case "jku", "jwk", "x5u", "x5c": if places.keySource < 0 { places.keySource = name }
    case "enc", "zip", "epk", "apu", "apv", "iv", "tag", "p2s", "p2c":
      if places.encryption < 0 { places.encryption = name }
    default: break
    }
  }
}
