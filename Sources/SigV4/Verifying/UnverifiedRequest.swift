internal import Encodings

/// A request whose signature was taken apart, and is believed by nobody yet.
///
/// It can be looked at, and lints can be drawn from it; only a ``RequestVerifier`` makes more of it.
public struct UnverifiedRequest: Sendable {
  /// The request as it came.
  public let head: RequestHead
  /// What its signature says of itself.
  public let parameters: SignatureParameters
  /// What it says of the body; nil where nothing is said and the body's hash counts.
  public let declaredPayload: DeclaredPayload?
  let table: HeaderTable

  /// What a request says of its body.
  public enum DeclaredPayload: Sendable, Hashable {
    /// This SHA-256.
    case sha256([UInt8])
    /// One of the other ways.
    case mode(PayloadMode)
  }

  /// Takes a request apart.
  ///
  /// - Throws: what is wrong with its form. Whether it holds is not asked.
  public init(_ head: RequestHead, limits: RequestLimits = RequestLimits()) throws(SigV4Error) {
    try head.check(limits)
    self.head = head
    table = HeaderTable(head.headers)
    let found = try SignatureReading(head, table)
    parameters = found.parameters
    declaredPayload = found.declaredPayload
  }
}

/// Finding a signature in a request, and refusing what could be read in two ways.
struct SignatureReading {
  let parameters: SignatureParameters
  let declaredPayload: UnverifiedRequest.DeclaredPayload?

  init(_ head: RequestHead, _ table: HeaderTable) throws(SigV4Error) {
    var headers = SingleHeaders()
    try headers.read(head, table)
    let query = try PresignedQuery(head.query)
    guard headers[.host] != nil else { throw .hostMissing }
    switch (headers[.authorization], query) {
    case (nil, nil): throw .signatureMissing
    case (.some, .some): throw .signatureTwice
    case (.some(let value), nil):
      let authorization = try AuthorizationHeader(value)
      guard let date = headers[.date] else { throw .dateMissing }
      let isECDSA = authorization.algorithm == .ecdsaP256SHA256
      if isECDSA, headers[.regionSet] == nil { throw .parameterMissing("X-Amz-Region-Set") }
      let (accessKeyID, scope) = try SignatureParameters.credential(
        authorization.credential, authorization.algorithm)
      parameters = SignatureParameters(
        placement: .header, algorithm: authorization.algorithm, accessKeyID: accessKeyID, scope: scope,
        date: try Self.date(date), expires: nil,
        signedHeaders: try SignatureParameters.signedHeaders(authorization.signedHeaders),
        regionSet: isECDSA ? try SignatureParameters.regionSet(headers[.regionSet] ?? []) : [],
        sessionToken: try Self.token(headers[.securityToken]),
        signature: try SignatureParameters.signature(authorization.signature, authorization.algorithm))
      declaredPayload = try Self.payload(headers[.contentHash])
    case (nil, .some(let query)):
      // What the query says of the signature, a header must not say, too.
      guard headers[.date] == nil else { throw .headerUnexpected("x-amz-date") }
      guard headers[.securityToken] == nil else { throw .headerUnexpected("x-amz-security-token") }
      guard headers[.regionSet] == nil else { throw .headerUnexpected("x-amz-region-set") }
      let name = String(decoding: try query.required("X-Amz-Algorithm"), as: UTF8.self)
      guard let algorithm = SigningAlgorithm(rawValue: name) else { throw .algorithmUnknown(name) }
      let (accessKeyID, scope) = try SignatureParameters.credential(
        query.required("X-Amz-Credential"), algorithm)
      let set = try algorithm == .ecdsaP256SHA256 ? query.required("X-Amz-Region-Set") : nil
      parameters = SignatureParameters(
        placement: .query, algorithm: algorithm, accessKeyID: accessKeyID, scope: scope,
        date: try Self.date(query.required("X-Amz-Date")),
        expires: try Self.expires(query.required("X-Amz-Expires")),
        signedHeaders: try SignatureParameters.signedHeaders(query.required("X-Amz-SignedHeaders")),
        regionSet: try set.map { set throws(SigV4Error) in try SignatureParameters.regionSet(set) } ?? [],
        sessionToken: try Self.token(query["X-Amz-Security-Token"]),
        signature: try SignatureParameters.signature(query.required("X-Amz-Signature"), algorithm))
      if headers[.contentHash] != nil, query["X-Amz-Content-Sha256"] != nil {
        throw .headerUnexpected("x-amz-content-sha256")
      }
      declaredPayload = try Self.payload(headers[.contentHash] ?? query["X-Amz-Content-Sha256"])
    }
  }

  private static func date(_ text: [UInt8]) throws(SigV4Error) -> AmzDate {
    guard let date = AmzDate.read(text) else { throw .dateMalformed(String(decoding: text, as: UTF8.self)) }
    return date
  }

  private static func expires(_ text: [UInt8]) throws(SigV4Error) -> Int64 {
    let shown = String(decoding: text, as: UTF8.self)
    // Digits alone, after at most one minus, so that -1 is told from what is no number.
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    guard (1...10).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Int64(shown)
    else { throw .expiresMalformed(shown) }
    return seconds
  }

  private static func token(_ bytes: [UInt8]?) throws(SigV4Error) -> String? {
    guard let bytes else { return nil }
    try Credentials.check(sessionToken: bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func payload(_ bytes: [UInt8]?) throws(SigV4Error) -> UnverifiedRequest.DeclaredPayload? {
    guard let bytes else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if let mode = PayloadMode(rawValue: text) { return .mode(mode) }
    let isHex = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard bytes.count == 64, isHex, let hash = try? Hex.decode(text) else {
      throw .payloadHashMalformed(text)
    }
    return .sha256(hash)
  }
}

/// The headers of which there may be one.
struct SingleHeaders {
  enum Name: Int, CaseIterable {
    case host, authorization, date, securityToken, contentHash, regionSet, contentType, contentLength,
      decodedLength,
      trailer, contentEncoding

    var text: StaticString {
      switch self {
      case .host: "host"
      case .authorization: "authorization"
      case .date: "x-amz-date"
      case .securityToken: "x-amz-security-token"
      case .contentHash: "x-amz-content-sha256"
      case .regionSet: "x-amz-region-set"
      case .contentType: "content-type"
      case .contentLength: "content-length"
      case .decodedLength: "x-amz-decoded-content-length"
      case .trailer: "x-amz-trailer"
      case .contentEncoding: "content-encoding"
      }
    }
  }

  private var values: [[UInt8]?] = Array(repeating: nil, count: Name.allCases.count)

  /// - Throws: `headerRepeated` where one is there twice.
  mutating func read(_ head: RequestHead, _ table: HeaderTable) throws(SigV4Error) {
    for entry in table.entries {
      guard let name = Name.allCases.first(where: { table.hasName(entry, $0.text) }) else { continue }
      guard values[name.rawValue] == nil else { throw .headerRepeated("\(name.text)") }
      values[name.rawValue] = Array(AuthorizationHeader.trimmed(head.headers[entry.field].value[...]))
    }
  }

  subscript(name: Name) -> [UInt8]? { values[name.rawValue] }
}
