public import TokenSecurityBase

/// A JOSE header (RFC 7515 section 4): what a token says about itself.
///
/// Until the signature is verified a header is an unproven claim, and after that it is still the sender's
/// choice. It never decides which key or algorithm is trusted.
public struct JOSEHeader: Sendable, Hashable {
  let document: JSONDocument
  let places: Places

  /// The places of the parameters that have rules.
  struct Places: Sendable, Hashable {
    var algorithm: Int?
    var keyID: Int?
    var type: Int?
    var contentType: Int?
    var critical: Int?
    var unencoded: Int?
    /// The name of the first of `jku`, `jwk`, `x5u`, `x5c`.
    var keySource: Int?
    /// The name of the first of `enc`, `zip` and the other parameters of JWE.
    var encryption: Int?
  }

  init(_ bytes: consuming [UInt8], limits: TokenLimits) throws(JOSEError) {
    let document = try JSONDocument.object(bytes, in: .header, limits: limits)
    places = Self.places(document)
    self.document = document
  }

  /// Decodes the header of a token again; it was valid before.
  init(known compact: String, limits: TokenLimits) {
    let text = compact.utf8.span
    let size = ByteSearch.firstIndex(of: UInt8(ascii: "."), in: text, from: 0) ?? 0
    let decoded = try? Self(CompactParts.decodePadded(text, .header, 0, size), limits: limits)
    self = decoded ?? Self()
  }

  /// The header without parameters.
  private init() {
    document = JSONDocument()
    places = Places()
  }

  init(_ object: JSONObject, limits: TokenLimits) throws(JOSEError) {
    try self.init(JSONWriter.write(object), limits: limits)
  }

  /// The parameters as JSON, in their order.
  public var parameters: JSONObject { document.object() }

  /// The JSON text, as it was received.
  package var json: [UInt8] { document.bytes }

  /// The parameter called `name`, or nil.
  public subscript(name: String) -> JSONValue? {
    document.member(name).map { document.value(at: $0) }
  }

  /// `alg` as written, or nil if it is absent or not a string.
  public var algorithmName: String? { string(places.algorithm) }
  /// `alg`, or nil if it is absent or not known here.
  public var algorithm: Algorithm? {
    places.algorithm.flatMap { Self.algorithmNames.index(of: document, at: $0) }.map {
      Algorithm.allCases[$0]
    }
  }
  /// The names of all algorithms, in the order of the cases.
  private static let algorithmNames = TextTable(Algorithm.allCases.map(\.name))
  /// `kid`, or nil if it is absent or not a string.
  public var keyID: String? { string(places.keyID) }
  /// `typ`, or nil if it is absent or not a string.
  public var type: String? { string(places.type) }
  /// `cty`, or nil if it is absent or not a string.
  public var contentType: String? { string(places.contentType) }

  /// True if the header has `crit` or `b64`.
  var hasExtensions: Bool { places.critical != nil || places.unencoded != nil }

  /// False if `b64` says that the payload is not encoded.
  var isPayloadEncoded: Bool { places.unencoded.map { document.kind(at: $0) != .false } ?? true }

  private func string(_ place: Int?) -> String? {
    guard let place else { return nil }
    return document.string(at: place)
  }

  private static func places(_ document: JSONDocument) -> Places {
    var places = Places()
    document.forEachMember(of: 0) { (name: Int, value: Int) in
      // A name with escapes can mean any other name (RFC 8259 section 8.3). Without them, all names that
      // matter have at most four bytes.
      if document.isEscaped(at: name) {
        let text = document.string(at: name) ?? ""
        note(text.utf8.span, name, value, &places)
      } else if document.length(at: name) <= 4 {
        document.withBytes(at: name) { note($0, name, value, &places) }
      }
    }
    return places
  }

  private static func note(
    _ text: borrowing Span<UInt8>, _ name: Int, _ value: Int, _ places: inout Places
  ) {
    if text.count == 3 {
      // The names of nearly all headers, without making strings of them.
      switch (text[0], text[1], text[2]) {
      case (UInt8(ascii: "a"), UInt8(ascii: "l"), UInt8(ascii: "g")):
        places.algorithm = value
        return
      case (UInt8(ascii: "k"), UInt8(ascii: "i"), UInt8(ascii: "d")):
        places.keyID = value
        return
      case (UInt8(ascii: "t"), UInt8(ascii: "y"), UInt8(ascii: "p")):
        places.type = value
        return
      default: break
      }
    }
    switch String(decoding: [UInt8](unwipedCopy: text), as: UTF8.self) {
    case "cty": places.contentType = value
    case "crit": places.critical = value
    case "b64": places.unencoded = value
    case "jku", "jwk", "x5u", "x5c": places.keySource = places.keySource ?? name
    case "enc", "zip", "epk", "apu", "apv", "iv", "tag", "p2s", "p2c":
      places.encryption = places.encryption ?? name
    default: break
    }
  }
}
