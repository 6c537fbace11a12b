internal import TokenSecurityBase

/// A request with a parsed signature that is not verified yet. A ``RequestVerifier`` verifies it.
public struct UnverifiedRequest: Sendable {
  // A reference, so that a copy of the value is cheap.
  let parts: Parts

  final class Parts: Sendable {
    let head: RequestHead
    let table: HeaderTable
    let parameters: SignatureParameters
    let declaredPayload: DeclaredPayload?
    /// The index of `Host` in the headers.
    let host: Int

    init(_ head: RequestHead, _ table: HeaderTable, _ found: consuming SignatureReading) {
      self.head = head
      self.table = table
      parameters = found.parameters
      declaredPayload = found.declaredPayload
      host = found.host
    }
  }

  /// The request as it was received.
  public var head: RequestHead { parts.head }
  /// The parameters of the signature.
  public var parameters: SignatureParameters { parts.parameters }
  /// `X-Amz-Content-Sha256`; nil when it is missing, so that the signature covers the body's own hash.
  public var declaredPayload: DeclaredPayload? { parts.declaredPayload }
  var table: HeaderTable { parts.table }

  /// Whether the value of `Host` is `host`, byte for byte.
  func hasHost(_ host: [UInt8]) -> Bool {
    let value = parts.head.headers[parts.host].value
    return value.count == host.count && ByteWords.areEqual(value.span, from: 0, host.span)
  }

  /// A value of `X-Amz-Content-Sha256`.
  public enum DeclaredPayload: Sendable, Hashable {
    /// The body's SHA-256.
    case sha256([UInt8])
    /// A mode instead of a hash.
    case mode(PayloadMode)
  }

  /// Parses the signature of a request. Does not verify it.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - limits: the limits of the head.
  /// - Throws: the first violation of the form of a signed request.
  public init(_ head: RequestHead, limits: RequestLimits = RequestLimits()) throws(SigV4Error) {
    try head.check(limits)
    var table = HeaderTable(head.headers)
    let reading = try SignatureReading(head, &table)
    parts = Parts(head, table, reading)
  }
}

/// Parses the signature of a request. Rejects requests with two signatures and with repeated parameters.
struct SignatureReading {
  let parameters: SignatureParameters
  let declaredPayload: UnverifiedRequest.DeclaredPayload?
  let host: Int

  /// Marks the signed headers in the table.
  init(_ head: RequestHead, _ table: inout HeaderTable) throws(SigV4Error) {
    let found = try SingleHeaders(table)
    func headers(_ name: SingleHeaders.Name) -> [UInt8]? { found.value(name, head) }
    func checkVersion() throws(SigV4Error) {
      guard headers(.authorization) == nil, PresignedQuery.isVersion2(head.query) else { return }
      throw .signatureVersion2(in: "the query")
    }
    let query: PresignedQuery?
    do { query = try PresignedQuery(head.query) } catch {
      // Version 2 also has x-amz-security-token, in lower case.
      try checkVersion()
      throw error
    }
    guard let host = found.index(.host) else { throw .hostMissing }
    self.host = host
    switch (headers(.authorization), query) {
    case (nil, nil):
      try checkVersion()
      throw .signatureMissing
    case (.some, .some): throw .signatureTwice
    case (.some(let value), nil):
      let authorization = try AuthorizationHeader(value)
      guard let date = headers(.date) else { throw .dateMissing }
      let isECDSA = authorization.algorithm == .ecdsaP256SHA256
      if isECDSA, found.index(.regionSet) == nil { throw .parameterMissing("X-Amz-Region-Set") }
      parameters = SignatureParameters(
        try SignatureParameters.Fields(
          placement: .header, algorithm: authorization.algorithm,
          credential: CredentialParameter(
            value, in: authorization.credential, authorization.algorithm),
          dateBytes: date, expires: nil,
          signedNames: SignedHeaderNames(value, in: authorization.signedHeaders, marking: &table),
          regionSet: isECDSA ? SignatureParameters.regionSet(head.list("x-amz-region-set")) : [],
          sessionToken: Self.token(headers(.securityToken)),
          signature: SignatureBytes(
            hex: value, in: authorization.signature, authorization.algorithm)))
      declaredPayload = try UnverifiedRequest.DeclaredPayload.reading(headers(.contentHash))
    case (nil, .some(let query)):
      if query["X-Amz-Algorithm"] == nil { try checkVersion() }
      try found.checkNoneRepeatsQuery()
      let name = String(decoding: try query.required("X-Amz-Algorithm"), as: UTF8.self)
      guard let algorithm = SigningAlgorithm(name: name) else { throw .algorithmUnknown(name) }
      let set = try algorithm == .ecdsaP256SHA256 ? query.required("X-Amz-Region-Set") : nil
      parameters = SignatureParameters(
        try SignatureParameters.Fields(
          placement: .query, algorithm: algorithm,
          credential: CredentialParameter(query.required("X-Amz-Credential"), algorithm),
          dateBytes: query.required("X-Amz-Date"), expires: Self.expires(query.required("X-Amz-Expires")),
          signedNames: SignedHeaderNames(query.required("X-Amz-SignedHeaders"), marking: &table),
          regionSet: set.map { set throws(SigV4Error) in try SignatureParameters.regionSet(set) } ?? [],
          sessionToken: Self.token(query["X-Amz-Security-Token"]),
          signature: SignatureBytes(hex: query.required("X-Amz-Signature"), algorithm)))
      if headers(.contentHash) != nil, query["X-Amz-Content-Sha256"] != nil {
        throw .headerUnexpected("x-amz-content-sha256")
      }
      declaredPayload = try UnverifiedRequest.DeclaredPayload.reading(
        headers(.contentHash) ?? query["X-Amz-Content-Sha256"])
    }
  }

  private static func expires(_ text: [UInt8]) throws(SigV4Error) -> Int64 {
    let shown = String(decoding: text, as: UTF8.self)
    // A minus is allowed here, so that the lifetime rule reports negative numbers.
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    guard (1...10).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Int64(shown)
    else { throw .expiresMalformed(shown) }
    return seconds
  }

  private static func token(_ bytes: [UInt8]?) throws(SigV4Error) -> String? {
    guard let bytes else { return nil }
    guard !bytes.isEmpty else { return "" }
    try Credentials.check(sessionToken: bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UnverifiedRequest.DeclaredPayload {
  /// Reads the value of `X-Amz-Content-Sha256`; nil for none.
  static func reading(_ bytes: [UInt8]?) throws(SigV4Error) -> Self? {
    guard let bytes else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if let mode = PayloadMode(name: text) { return .mode(mode) }
    guard bytes.count == 64, let hash = Hex.lowerCaseBytes(bytes.span) else {
      throw .payloadHashMalformed(text)
    }
    return .sha256(hash)
  }
}

/// The headers that a verifier reads: those that may occur once, and lists.
struct SingleHeaders {
  enum Name: Int {
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

    /// Whether the value is a list, so that several fields are one list (RFC 9110 section 5.3).
    var isList: Bool {
      switch self {
      case .regionSet, .trailer, .contentEncoding: true
      default: false
      }
    }
  }

  /// The index of each header in the request; -1 for a missing header.
  private var fields = InlineArray<11, Int>(repeating: -1)

  /// - Throws: `headerRepeated`.
  init(_ table: HeaderTable) throws(SigV4Error) {
    for entry in table.entries {
      guard let name = Self.name(entry, table) else { continue }
      guard fields[name.rawValue] < 0 else {
        guard name.isList else { throw .headerRepeated("\(name.text)") }
        continue
      }
      fields[name.rawValue] = entry.field
    }
  }

  private static func name(_ entry: HeaderTable.Entry, _ table: HeaderTable) -> Name? {
    // The length identifies most of them.
    let candidates: (Name, Name?)? =
      switch entry.name.count {
      case 4: (.host, nil)
      case 10: (.date, nil)
      case 12: (.contentType, nil)
      case 13: (.authorization, .trailer)
      case 14: (.contentLength, nil)
      case 16: (.regionSet, .contentEncoding)
      case 20: (.securityToken, .contentHash)
      case 28: (.decodedLength, nil)
      default: nil
      }
    guard let candidates else { return nil }
    if table.hasName(entry, candidates.0.text) { return candidates.0 }
    guard let other = candidates.1, table.hasName(entry, other.text) else { return nil }
    return other
  }

  /// The index of the header in the request; nil for a missing header.
  func index(_ name: Name) -> Int? { fields[name.rawValue] >= 0 ? fields[name.rawValue] : nil }

  /// Checks that no header repeats a parameter of a presigned URL.
  ///
  /// - Throws: `headerUnexpected`.
  func checkNoneRepeatsQuery() throws(SigV4Error) {
    guard index(.date) == nil else { throw .headerUnexpected("x-amz-date") }
    guard index(.securityToken) == nil else { throw .headerUnexpected("x-amz-security-token") }
    guard index(.regionSet) == nil else { throw .headerUnexpected("x-amz-region-set") }
  }

  /// The value without white space around it; nil for a missing header.
  func value(_ name: Name, _ head: RequestHead) -> [UInt8]? {
    let field = fields[name.rawValue]
    guard field >= 0 else { return nil }
    let value = head.headers.span[field].value
    let isTrimmed = value.first.map { $0 > 0x20 } ?? true && value.last.map { $0 > 0x20 } ?? true
    return isTrimmed ? value : Array(value[...].trimmingBlanks)
  }
}
