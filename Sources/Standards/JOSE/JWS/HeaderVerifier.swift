internal import TokenSecurityBase

/// Checks headers by the rules of ``HeaderRule``.
///
/// Verification of a token reads plain values here. Sets and strings of the rules themselves would be
/// reference-counted for each token, and threads would contend for the counts.
final class HeaderVerifier: Sendable {
  let rules: SignatureRules
  private let order = HeaderRule.allCases
  private let algorithms: AlgorithmBits
  private let checksType: Bool

  init(_ rules: SignatureRules) {
    self.rules = rules
    algorithms = AlgorithmBits(rules.algorithms)
    checksType = rules.type.reason == nil
  }

  /// Checks all rules in their order and returns the algorithm. `header` has all parameters; `protected`
  /// those that the signature covers, in a compact JWS all of them.
  func verify(
    _ header: borrowing JOSEHeader, protected: borrowing JOSEHeader, payload: PayloadEncoding
  ) throws(JOSEError) -> Algorithm {
    var algorithm: Algorithm? = nil
    for index in order.indices {
      try check(order[index], header, protected: protected, payload: payload, &algorithm)
    }
    guard let algorithm else { throw .algorithmMissing }
    return algorithm
  }

  /// Checks one rule. The rule for `alg` sets `algorithm`.
  @inline(__always)
  func check(
    _ rule: HeaderRule, _ header: borrowing JOSEHeader, protected: borrowing JOSEHeader,
    payload: PayloadEncoding, _ algorithm: inout Algorithm?
  ) throws(JOSEError) {
    switch rule {
    case .algorithm:
      guard let known = header.algorithm, algorithms.contains(known) else { throw algorithmError(header) }
      algorithm = known
    case .parameters: try checkParameters(header)
    case .critical:
      if protected.hasExtensions || payload == .plain { try checkCritical(protected, payload) }
    case .type: if checksType { try checkType(header, protected) }
    }
  }

  private func algorithmError(_ header: borrowing JOSEHeader) -> JOSEError {
    guard header.places.algorithm != nil else { return .algorithmMissing }
    guard let name = header.algorithmName else {
      return .headerParameterType(name: "alg", expected: "a string")
    }
    guard let algorithm = Algorithm(name: name) else {
      return name.lowercasedASCII == "none" ? .algorithmNone(name) : .algorithmUnknown(name)
    }
    return .algorithmNotAllowed(algorithm, allowed: rules.algorithms.sorted { $0.name < $1.name })
  }

  private func checkParameters(_ header: borrowing JOSEHeader) throws(JOSEError) {
    try checkString("kid", header.places.keyID, header)
    try checkString("typ", header.places.type, header)
    try checkString("cty", header.places.contentType, header)
    if let place = header.places.encryption {
      throw .headerEncryption(name: header.document.string(at: place) ?? "")
    }
    guard header.places.keySource != nil else { return }
    for name in header.parameters.names
    where SignatureRules.KeySource(name: name) != nil && !rules.ignoresKeySource(name) {
      throw .headerKeySource(name: name)
    }
  }

  @inline(__always)
  private func checkString(
    _ name: StaticString, _ place: Int?, _ header: borrowing JOSEHeader
  ) throws(JOSEError) {
    guard let place, header.document.kind(at: place) != .string else { return }
    throw .headerParameterType(name: name.description, expected: "a string")
  }

  // `b64` counts as understood everywhere, so that a call which does not expect it refuses it by name.
  private func checkCritical(
    _ header: borrowing JOSEHeader, _ payload: PayloadEncoding
  ) throws(JOSEError) {
    let document = header.document
    var names: Set<ExactString> = []
    if let list = header.places.critical {
      guard document.kind(at: list) == .array else {
        throw .headerParameterType(name: "crit", expected: "an array of strings")
      }
      for place in document.elements(of: list) {
        guard let name = document.string(at: place) else {
          throw .headerParameterType(name: "crit", expected: "an array of strings")
        }
        guard names.insert(ExactString(name)).inserted else { throw .criticalDuplicate(name: name) }
        guard document.member(name) != nil else { throw .criticalAbsent(name: name) }
        guard name == "b64" || rules.understoodCritical.contains(ExactString(name)) else {
          throw .criticalNotUnderstood(name: name)
        }
      }
      guard !names.isEmpty else { throw .criticalEmpty }
    }
    if let place = header.places.unencoded {
      guard [.true, .false].contains(document.kind(at: place)) else {
        throw .headerParameterType(name: "b64", expected: "a boolean")
      }
      guard names.contains("b64") else { throw .unencodedNotCritical }
    }
    switch payload {
    case .base64url: guard header.isPayloadEncoded else { throw .unencodedPayload }
    case .plain: guard !header.isPayloadEncoded else { throw .payloadEncoded }
    case .either: break
    }
  }

  private func checkType(
    _ header: borrowing JOSEHeader, _ protected: borrowing JOSEHeader
  ) throws(JOSEError) {
    switch rules.type {
    case .unchecked: return
    case .absent:
      guard header.places.type == nil else { throw .claimUnexpected(name: "typ") }
    case .oneOf(let expected):
      let actual = protected.type
      guard let actual, expected.contains(where: { Self.mediaType($0) == Self.mediaType(actual) }) else {
        throw .typeMismatch(expected: expected, actual: actual)
      }
    }
  }

  /// RFC 7515 section 4.1.9: the case of ASCII letters does not matter, and `application/` may be left out
  /// where there is no other slash.
  private static func mediaType(_ type: String) -> String {
    let lowered = type.lowercasedASCII
    return lowered.utf8.contains(UInt8(ascii: "/")) ? lowered : "application/" + lowered
  }
}
