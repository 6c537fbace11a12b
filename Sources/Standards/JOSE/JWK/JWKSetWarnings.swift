internal import TokenSecurityBase

extension JWKSet {
  /// A warning about a key.
  public struct Warning: Sendable, Hashable {
    /// The key's index in the set, from 0.
    public let index: Int
    /// Its `kid`.
    public let keyID: String?
    /// The kind of warning.
    public let kind: Kind

    /// The kinds of warnings.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The key has private members, which a published set must not have.
      case privateMembers = "private_members"
      /// The set has a shared secret besides public keys.
      case sharedSecret = "shared_secret"
      /// A shared secret is shorter than every digest and cannot be used.
      case secretTooShort = "secret_too_short"
      /// Another key of the set has the same `kid`.
      case duplicateKeyID = "duplicate_kid"
      /// The key has no `kid`, so tokens cannot refer to it.
      case noKeyID = "no_kid"
      /// More keys than are tried for a token fit the same algorithm, and have no `kid` that selects one: tokens of this
      /// algorithm are refused with `key_ambiguous`.
      case tooManyWithoutKeyID = "too_many_without_kid"
      /// The key is not for signatures.
      case notForSignatures = "not_for_signatures"
      /// The key has no `alg`.
      case noAlgorithm = "no_alg"
      /// The key's `alg` is for keys of another type or curve; the key cannot be used.
      case algorithmContradiction = "alg_contradicts_key"
      /// `n` or `e` has a leading zero byte.
      case leadingZero = "leading_zero"
      /// Base64url is padded with `=`.
      case padding = "padded"
      /// A member is null. It counts as absent.
      case nullMember = "null_member"
      /// `kid` is a number. Its digits are used.
      case numericKeyID = "numeric_kid"
      /// `x5c`, `key_ops` or `oth` is an empty array. It counts as absent.
      case emptyArray = "empty_array"
      /// `x5t#S256` is malformed or not the digest of the first certificate in `x5c`. It is ignored.
      case certificateThumbprint = "x5t_mismatch"
      /// `x5c` is not an array of certificates in base64. It is ignored.
      case malformedCertificates = "x5c_malformed"
    }
  }

  /// The warnings in the order of the keys. Linear in their number.
  static func warnings(
    _ keys: [(index: Int, key: JWK)], _ rejected: [Rejected], servesAnyKeyID: Bool
  ) -> [Warning] {
    var counts: [ExactString: Int] = [:]
    for entry in keys {
      if let keyID = entry.key.keyID { counts[ExactString(keyID), default: 0] += 1 }
    }
    let crowded = servesAnyKeyID ? crowdedAlgorithms(keys) : []
    let hasPublic = keys.contains { $0.key.publicKey != nil }
    var warnings: [Warning] = []
    for (index, key) in keys {
      var kinds = key.readingWarnings.union(kinds(of: key))
      if case .shared = key.material, hasPublic { kinds.insert(.sharedSecret) }
      if let keyID = key.keyID {
        if counts[ExactString(keyID), default: 0] > 1 { kinds.insert(.duplicateKeyID) }
      } else if keys.count > 1, !servesAnyKeyID {
        kinds.insert(.noKeyID)
      }
      if !crowded.isDisjoint(with: key.algorithms) { kinds.insert(.tooManyWithoutKeyID) }
      for kind in Warning.Kind.allCases where kinds.contains(kind) {
        warnings.append(Warning(index: index, keyID: key.keyID, kind: kind))
      }
    }
    for key in rejected where key.error == .keyNotPublic(member: "k") {
      warnings.append(Warning(index: key.index, keyID: key.keyID, kind: .sharedSecret))
    }
    return warnings.sorted { $0.index < $1.index }
  }

  /// The algorithms that more keys fit than a verifier tries by default.
  private static func crowdedAlgorithms(_ keys: [(index: Int, key: JWK)]) -> Set<Algorithm> {
    let limit = candidateLimit
    guard keys.count > limit else { return [] }
    var counts: [Algorithm: Int] = [:]
    for (_, key) in keys {
      for algorithm in key.algorithms { counts[algorithm, default: 0] += 1 }
    }
    return Set(counts.filter { $0.value > limit }.keys)
  }

  private static func kinds(of key: JWK) -> Set<Warning.Kind> {
    var kinds: Set<Warning.Kind> = []
    switch key.material {
    case .privateKey: kinds.insert(.privateMembers)
    case .shared: if key.bits < 256 { kinds.insert(.secretTooShort) }
    case .publicKey: break
    }
    if !key.isForSignatures { kinds.insert(.notForSignatures) }
    if key.algorithmName == nil { kinds.insert(.noAlgorithm) }
    if key.contradictsItsAlgorithm { kinds.insert(.algorithmContradiction) }
    return kinds
  }
}
