internal import TokenSecurityCrypto
public import TokenSecurityEncodings

/// The hash functions that SRP is used with.
public enum SRPHash: ExactString, Sendable, Hashable, CaseIterable {
  /// What RFC 5054 prescribes. Broken for signatures; nothing here depends on its collisions being hard to find.
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

/// What RFC 5054 leaves to others: how the session's key K and the proofs M1 and M2 are made of S.
///
/// Both are after RFC 2945 section 3: M1 = H(H(N) xor H(g) | H(I) | s | A | B | K) and M2 = H(A | M1 | K). Where
/// implementations differ is in the form of numbers, and two sides must agree.
public struct SRPProofForm: Sendable, Hashable {
  /// How K is made.
  public enum SessionKey: Sendable, Hashable {
    /// H(S), as most implementations do.
    case digest
    /// The interleaved hash of RFC 2945 section 3.1, twice as long.
    case interleaved
  }

  /// How a number is written.
  public enum NumberForm: Sendable, Hashable {
    /// Without zeros in front, as RFC 2945 has it.
    case shortest
    /// As long as N, as RFC 5054 has it inside k and u.
    case padded
  }

  /// How K is made.
  public var sessionKey: SessionKey
  /// The form of S in K, and of A and B in the proofs.
  public var numbers: NumberForm
  /// The form of g in the proofs.
  public var generator: NumberForm

  /// A form; K = H(S) and the shortest numbers unless said otherwise.
  public init(
    sessionKey: SessionKey = .digest, numbers: NumberForm = .shortest, generator: NumberForm = .shortest
  ) {
    self.sessionKey = sessionKey
    self.numbers = numbers
    self.generator = generator
  }

  /// As RFC 2945 has it, with the interleaved hash.
  public static let rfc2945 = SRPProofForm(sessionKey: .interleaved)
}

/// What both sides must agree on before they begin: group, hash, form of the proofs. Make it once and keep it.
public struct SRPParameters: Sendable {
  /// The group.
  public let group: SRPGroup
  /// The hash function.
  public let hash: SRPHash
  /// How K and the proofs are made.
  public let proof: SRPProofForm

  let prepared: Prepared

  /// What is computed once: k, and the first part of what the proofs hash.
  final class Prepared: Sendable {
    let multiplier: Number
    let groupHash: [UInt8]

    init(multiplier: consuming Number, groupHash: [UInt8]) {
      self.multiplier = multiplier
      self.groupHash = groupHash
    }
  }

  /// Computes k = H(N | PAD(g)) (RFC 5054 section 2.5.3). Throws `libraryFailure` for lack of memory alone.
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

  /// A number, big-endian, with zeros in front up to `size` bytes: PAD of RFC 5054 section 2.1.
  static func padded(_ number: [UInt8], _ size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, size - number.count)) + number
  }

  /// A public number in the form that the proofs have it in.
  func form(_ number: [UInt8]) -> [UInt8] {
    let shortest = Array(number.drop { $0 == 0 })
    return proof.numbers == .padded ? Self.padded(shortest, group.size) : shortest
  }
}
