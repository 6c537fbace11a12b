internal import JOSE

/// The keys of a set in the order in which they stand, accepted and refused ones together.
enum KeyListing {
  struct Entry {
    let index: Int
    let keyID: String?
    var kind: String?
    var bits: Int?
    var algorithms: [String] = []
    var thumbprint: String?
    var refusal: JOSEError?
    var warnings: [JWKSet.Warning.Kind] = []
  }

  static func entries(_ set: JWKSet) throws -> [Entry] {
    // By index, so that the work is linear in keys and warnings.
    let warnings = Dictionary(grouping: set.warnings, by: \.index).mapValues { $0.map(\.kind) }
    var entries = set.rejected.map { key in
      Entry(index: key.index, keyID: key.keyID, refusal: key.error, warnings: warnings[key.index] ?? [])
    }
    let taken = Set(entries.map(\.index))
    var index = 0
    for key in set.keys {
      while taken.contains(index) { index += 1 }
      var entry = Entry(index: index, keyID: key.keyID)
      entry.kind = key.kind.name
      entry.bits = key.bits
      entry.algorithms = key.algorithms.map(\.name)
      // The thumbprint of a secret is a digest of it (RFC 7638 section 7): it is not shown.
      entry.thumbprint = key.kind == .symmetric ? nil : try key.thumbprint()
      entry.warnings = warnings[index] ?? []
      entries.append(entry)
      index += 1
    }
    return entries.sorted { $0.index < $1.index }
  }
}

extension JWKSet.Warning.Kind {
  /// The doubt in words.
  var sentence: String {
    switch self {
    case .privateMembers: "has private members: whoever reads this set can sign"
    case .sharedSecret: "is a shared secret among public keys"
    case .duplicateKeyID: "shares its kid with another key"
    case .noKeyID: "has no kid, so that only tokens without one find it"
    case .notForSignatures: "is not for signatures"
    case .secretTooShort: "is shorter than any digest: no algorithm can use it"
    case .noAlgorithm: "does not say which algorithm it is for"
    case .algorithmContradiction: "has an alg for keys of another type: no algorithm can use it"
    case .leadingZero: "has a zero byte in front of n or e"
    case .padding: "has base64url that is padded"
    case .nullMember: "has a member that is null"
    case .numericKeyID: "has a kid that is a number"
    case .emptyArray: "has a member that is an empty array"
    case .certificateThumbprint: "has an x5t#S256 that is not that of its certificate"
    }
  }
}
