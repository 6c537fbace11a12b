internal import JOSE

/// The usable and refused keys of a set, in their order in the set.
enum KeyListing {
  struct Entry {
    let index: Int
    let keyID: String?
    var kind: String?
    var bits: Int?
    var algorithms: [String] = []
    var thumbprint: String?
    var error: JOSEError?
    var warnings: [JWKSet.Warning.Kind] = []
  }

  static func entries(_ set: JWKSet) throws -> [Entry] {
    // Grouped by index, so that the work is linear in keys and warnings.
    let warnings = Dictionary(grouping: set.warnings, by: \.index).mapValues { $0.map(\.kind) }
    var entries = set.rejected.map { key in
      Entry(index: key.index, keyID: key.keyID, error: key.error, warnings: warnings[key.index] ?? [])
    }
    let refused = Set(entries.map(\.index))
    var index = 0
    for key in set.keys {
      while refused.contains(index) { index += 1 }
      var entry = Entry(index: index, keyID: key.keyID)
      entry.kind = key.kind.name
      entry.bits = key.bits
      entry.algorithms = key.algorithms.map(\.name)
      // The thumbprint of a secret is a digest of it (RFC 7638 section 7) and is not shown.
      entry.thumbprint = key.kind == .symmetric ? nil : try key.thumbprint()
      entry.warnings = warnings[index] ?? []
      entries.append(entry)
      index += 1
    }
    return entries.sorted { $0.index < $1.index }
  }
}

extension JWKSet.Warning.Kind {
  /// The warning as the rest of a sentence about the key.
  var sentence: String {
    switch self {
    case .privateMembers: "has private members: anyone who reads this set can sign"
    case .sharedSecret: "is a shared secret in a set of public keys"
    case .duplicateKeyID: "has the same kid as another key"
    case .noKeyID: "has no kid: only tokens without a kid select it"
    case .tooManyWithoutKeyID: "is one of too many without a kid: tokens of its algorithm are refused"
    case .notForSignatures: "is not for signatures"
    case .secretTooShort: "is too short for every HMAC algorithm"
    case .noAlgorithm: "has no alg"
    case .algorithmContradiction: "has an alg for another key type: no algorithm can use it"
    case .leadingZero: "has a leading zero byte in n or e"
    case .padding: "has padded base64url"
    case .nullMember: "has a null member"
    case .numericKeyID: "has a numeric kid"
    case .emptyArray: "has an empty array as a member"
    case .certificateThumbprint: "has an x5t#S256 that does not match its certificate"
    case .malformedCertificates: "has an x5c that is not a list of certificates in base64"
    }
  }
}
