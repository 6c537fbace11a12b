package import TokenSecurityCrypto

/// A safe prime N and a generator g, over which two sides agree on a key.
public struct SRPGroup: Sendable {
  package let arithmetic: ModularGroup

  /// A group of RFC 5054 appendix A, by the bits of its prime. That of 1,024 bits is for old peers alone: 2,048 are
  /// the least that is recommended today.
  public enum Standard: Int, Sendable, Hashable, CaseIterable {
    case bits1024 = 1024
    case bits1536 = 1536
    case bits2048 = 2048
    case bits3072 = 3072
    case bits4096 = 4096
    case bits6144 = 6144
    case bits8192 = 8192
  }

  /// The sizes of primes that are taken, in bits.
  public static let sizes = 1_024...8_192

  /// A group of RFC 5054, prepared at its first use and kept.
  ///
  /// Throws `libraryFailure` for lack of memory alone.
  public init(_ standard: Standard) throws(SRPError) {
    arithmetic = try StandardGroups.group(standard).get()
  }

  /// A group of one's own: N and g, big-endian.
  ///
  /// Takes a while: N and (N - 1) / 2 must be primes, which takes from tens of milliseconds for 2,048 bits to seconds for 8,192.
  ///
  /// Throws `groupSize`, `groupNotPrime`, `groupNotSafe`, `generatorUnsuitable`.
  public init(prime: [UInt8], generator: [UInt8]) throws(SRPError) {
    let prime = Array(prime.drop { $0 == 0 })
    let generator = Array(generator.drop { $0 == 0 })
    let bits = prime.count * 8 - (prime.first?.leadingZeroBitCount ?? 0)
    guard Self.sizes.contains(bits) else { throw .groupSize(bits: bits, limits: Self.sizes) }
    guard let last = prime.last, last & 1 == 1 else { throw .groupNotPrime }
    guard generator.count <= prime.count else { throw .generatorUnsuitable }
    guard generator.count < prime.count || generator.lexicographicallyPrecedes(prime) else {
      throw .generatorUnsuitable
    }
    let group = try SRPError.of { () throws(CryptoError) in
      try ModularGroup(modulus: prime, generator: generator)
    }
    // In a group of a safe prime all but these generate at least half of it.
    guard try SRPError.of({ () throws(CryptoError) in try group.place(of: generator.span) }) == .inside else {
      throw .generatorUnsuitable
    }
    switch try SRPError.of({ () throws(CryptoError) in try group.primality() }) {
    case .composite: throw .groupNotPrime
    case .prime: throw .groupNotSafe
    case .safePrime: arithmetic = group
    }
  }

  package init(_ arithmetic: ModularGroup) { self.arithmetic = arithmetic }

  /// N, big-endian, its first byte not zero.
  public var prime: [UInt8] { arithmetic.modulus }
  /// g, big-endian, its first byte not zero.
  public var generator: [UInt8] { arithmetic.generator }
  /// The length of N in bits.
  public var bits: Int { arithmetic.bits }
  /// The length of N in bytes.
  public var size: Int { arithmetic.size }

  /// The length of a private number in bits: more than twice the strength that RFC 3526 section 8 sees in a prime of
  /// this size, by its larger estimate.
  package var exponentBits: Int { bits > 4_096 ? 640 : 512 }

  /// Refuses a public number of the other side that would give the key away, before anything secret is touched.
  package func check(_ bytes: [UInt8], of side: SRPError.Side) throws(SRPError) {
    let count = bytes.count - (bytes.firstIndex { $0 != 0 } ?? bytes.count)
    // Twice N is one bit longer than N, and still a multiple of it.
    guard count <= size + 1 else { throw .publicKeyTooLong(side, size: count, limit: size) }
    let place = try SRPError.of { () throws(CryptoError) in
      try arithmetic.place(of: bytes.span.extracting(droppingFirst: bytes.count - count))
    }
    switch place {
    case .zero: throw .publicKeyZero(side)
    case .trivial: throw .publicKeyTrivial(side)
    case .outside:
      guard count <= size else { throw .publicKeyTooLong(side, size: count, limit: size) }
      throw .publicKeyOutOfRange(side)
    case .inside: return
    }
  }
}
