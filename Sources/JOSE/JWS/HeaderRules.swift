internal import TokenSecurityEncodings

/// What a header must keep to before a key is looked for.
extension JOSEHeader {
  /// `alg`: present, known, not `none`, allowed by the rules.
  func judgeAlgorithm(_ rules: SignatureRules) throws(JOSEError) -> Algorithm {
    guard places.algorithm >= 0 else { throw .algorithmMissing }
    guard let name = algorithmName else {
      throw .headerParameterType(name: "alg", expected: "a string")
    }
    guard let algorithm = Algorithm(name: name) else {
      throw name.lowercasedASCII == "none" ? .algorithmNone(name) : .algorithmUnknown(name)
    }
    guard rules.algorithms.contains(algorithm) else {
      throw .algorithmNotAllowed(
        algorithm, allowed: rules.algorithms.sorted { $0.name < $1.name })
    }
    return algorithm
  }

  /// `kid`, `typ` and `cty` are strings; nothing in the header is JWE's or brings in a key.
  func judgeParameters(_ rules: @autoclosure () -> SignatureRules) throws(JOSEError) {
    try judgeString("kid", places.keyID)
    try judgeString("typ", places.type)
    try judgeString("cty", places.contentType)
    if places.encryption >= 0 {
      throw .headerEncryption(name: document.string(at: places.encryption) ?? "")
    }
    if places.keySource >= 0 { try judgeKeySources(rules()) }
  }

  /// Refuses the first parameter that brings a key along and is not ignored by the rules.
  private func judgeKeySources(_ rules: SignatureRules) throws(JOSEError) {
    for name in parameters.names
    where SignatureRules.KeySource(name: name) != nil && !rules.ignoresKeySource(name) {
      throw .headerKeySource(name: name)
    }
  }

  private func judgeString(_ name: String, _ place: Int) throws(JOSEError) {
    guard place < 0 || document.kind(at: place) == .string else {
      throw .headerParameterType(name: name, expected: "a string")
    }
  }

  /// True where the header has `crit` or `b64`.
  var hasExtensions: Bool { places.critical >= 0 || places.unencoded >= 0 }

  /// `crit` and `b64` (RFC 7515 section 4.1.11, RFC 7797 section 6). `b64` is understood everywhere, well
  /// enough to refuse it by name where it has no place.
  ///
  /// - Returns: false where `b64` says that the payload is not encoded.
  func judgeCritical(_ rules: SignatureRules) throws(JOSEError) -> Bool {
    var names: Set<ExactString> = []
    if places.critical >= 0 {
      guard document.kind(at: places.critical) == .array else {
        throw .headerParameterType(name: "crit", expected: "an array of strings")
      }
      for place in document.elements(of: places.critical) {
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
    guard places.unencoded >= 0 else { return true }
    switch document.kind(at: places.unencoded) {
    case .true, .false: break
    default: throw .headerParameterType(name: "b64", expected: "a boolean")
    }
    guard names.contains("b64") else { throw .unencodedNotCritical }
    return document.kind(at: places.unencoded) == .true
  }

  /// False where `b64` says that the payload is not encoded, whether or not the header may say so.
  var saysEncoded: Bool { places.unencoded < 0 || document.kind(at: places.unencoded) != .false }

  /// `typ`, compared as media types are (RFC 7515 section 4.1.9): without regard to the case of ASCII letters, with
  /// `application/` in front where there is no other slash.
  func judgeType(_ rules: SignatureRules) throws(JOSEError) {
    switch rules.type {
    case .unchecked: return
    case .absent:
      guard places.type < 0 else { throw .claimUnexpected(name: "typ") }
    case .oneOf(let wanted):
      guard let type, wanted.contains(where: { Self.mediaType($0) == Self.mediaType(type) }) else {
        throw .typeMismatch(expected: wanted, actual: type)
      }
    }
  }

  private static func mediaType(_ type: String) -> String {
    let lowered = type.lowercasedASCII
    return lowered.utf8.contains(UInt8(ascii: "/")) ? lowered : "application/" + lowered
  }
}
