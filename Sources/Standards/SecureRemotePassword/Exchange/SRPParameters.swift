public import TokenSecurityBase
internal import TokenSecurityCrypto

/// The hash functions for SRP.
public enum SRPHash: ExactString, Sendable, Hashable, CaseIterable {
  /// The hash function of RFC 5054. SRP does not depend on collision resistance, which SHA-1 lacks.
  case sha1 = "SHA-1"
  case sha256 = "SHA-256"
  case sha384 = "SHA-384"
  case sha512 = "SHA-512"

  var algorithm: DigestAlgorithm {
    switch self {
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }
}

/// How the session key K and the proofs M1 and M2 are computed from S, which RFC 5054 leaves open.
///
/// The proofs follow RFC 2945 section 3: M1 = H(H(N) xor H(g) | H(I) | s | A | B | K) and M2 = H(A | M1 | K).
/// Implementations encode the numbers differently; both sides must agree.
public struct SRPProofForm: Sendable, Hashable {
  /// The derivation of K.
  public enum SessionKey: Sendable, Hashable {
    /// H(S), as in most implementations.
    case digest
    /// The interleaved hash of RFC 2945 section 3.1, twice as long.
    case interleaved
  }

  /// The encoding of a number.
  public enum NumberForm: Sendable, Hashable {
    /// Without leading zeros, as in RFC 2945.
    case shortest
    /// As long as N, as in k and u of RFC 5054.
    case padded
  }

  /// The derivation of K.
  public var sessionKey: SessionKey
  /// The encoding of S in K, and of A and B in the proofs.
  public var numbers: NumberForm
  /// The encoding of g in the proofs.
  public var generator: NumberForm

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - sessionKey: the derivation of K. Default: H(S).
  ///   - numbers: the encoding of S, A and B. Default: the shortest.
  ///   - generator: the encoding of g. Default: the shortest.
  public init(
    sessionKey: SessionKey = .digest, numbers: NumberForm = .shortest, generator: NumberForm = .shortest
  ) {
    self.sessionKey = sessionKey
    self.numbers = numbers
    self.generator = generator
  }

  /// The form of RFC 2945, with the interleaved hash.
  public static let rfc2945 = SRPProofForm(sessionKey: .interleaved)
}

/// The parameters that both sides must agree on: group, hash function and form of the proofs. Create them
/// once and keep them.
public struct SRPParameters: Sendable {
  /// The group.
  public let group: SRPGroup
  /// The hash function.
  public let hash: SRPHash
  /// The computation of K and the proofs.
  public let proof: SRPProofForm

  let prepared: Prepared

  /// Precomputed values: k, and H(N) xor H(g).
  final class Prepared: Sendable {
    let multiplier: Number
    let groupHash: [UInt8]

    init(multiplier: consuming Number, groupHash: [UInt8]) {
      self.multiplier = multiplier
      self.groupHash = groupHash
    }
  }

  /// Creates parameters and computes k = H(N | PAD(g)) (RFC 5054 section 2.5.3).
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - hash: the hash function. Default: SHA-256.
  ///   - proof: the computation of K and the proofs.
  /// - Throws: `libraryFailure`, only for lack of memory.
  public init(group: SRPGroup, hash: SRPHash = .sha256, proof: SRPProofForm = SRPProofForm()) throws(SRPError)
  {
    self.group = group
    self.hash = hash
    self.proof = proof
    let generator = Self.padded(group.generator, group.size)
    let prepared = try SRPError.of { () throws(CryptoError) in
      var digest = try RunningDigest(hash.algorithm)
      try digest.update(group.prime)
      try digest.update(generator)
      let multiplier = try Number(digest.finish())
      let prime = group.prime
      var first = try hash.algorithm.hash(prime.span)
      let written = proof.generator == .padded ? generator : group.generator
      let second = try hash.algorithm.hash(written.span)
      for index in first.indices { first[index] ^= second[index] }
      return Prepared(multiplier: try group.arithmetic.remainder(multiplier), groupHash: first)
    }
    self.prepared = prepared
  }

  /// PAD of RFC 5054 section 2.1: a big-endian number with leading zeros up to `size` bytes.
  static func padded(_ number: [UInt8], _ size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, size - number.count)) + number
  }

  /// A public number in the encoding of the proofs.
  func form(_ number: [UInt8]) -> [UInt8] {
    let shortest = Array(number.drop { $0 == 0 })
    return proof.numbers == .padded ? Self.padded(shortest, group.size) : shortest
  }
}
