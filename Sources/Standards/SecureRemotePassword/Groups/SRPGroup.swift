package import TokenSecurityCrypto

/// A safe prime N and a generator g.
public struct SRPGroup: Sendable {
  package let arithmetic: ModularGroup

  /// The groups of RFC 5054 appendix A, by the size of the prime. Use at least 2,048 bits; 1,024 and 1,536
  /// are for old peers only.
  public enum Standard: Int, Sendable, Hashable, CaseIterable {
    case bits1024 = 1024
    case bits1536 = 1536
    case bits2048 = 2048
    case bits3072 = 3072
    case bits4096 = 4096
    case bits6144 = 6144
    case bits8192 = 8192
  }

  /// The accepted sizes of primes, in bits.
  public static let sizes = 1_024...8_192

  /// A group of RFC 5054, prepared at its first use and cached.
  ///
  /// - Parameter standard: the group.
  /// - Throws: `libraryFailure`, only for lack of memory.
  public init(_ standard: Standard) throws(SRPError) {
    arithmetic = try StandardGroups.group(standard).get()
  }

  /// Another group. Checks that N and (N - 1) / 2 are prime, which takes tens of milliseconds for 2,048 bits
  /// and seconds for 8,192.
  ///
  /// - Parameters:
  ///   - prime: N, big-endian.
  ///   - generator: g, big-endian.
  /// - Throws: `groupSize`, `groupNotPrime`, `groupNotSafe`, `generatorUnsuitable`, `libraryFailure`.
  public init(prime: [UInt8], generator: [UInt8]) throws(SRPError) {
    let prime = Array(prime.drop { $0 == 0 })
    let generator = Array(generator.drop { $0 == 0 })
    let bits = prime.count * 8 - (prime.first?.leadingZeroBitCount ?? 0)
    guard Self.sizes.contains(bits) else { throw .groupSize(bits: bits, limits: Self.sizes) }
    guard let last = prime.last, last & 1 == 1 else { throw .groupNotPrime }
    guard
      generator.count < prime.count
        || (generator.count == prime.count && generator.lexicographicallyPrecedes(prime))
    else { throw .generatorUnsuitable }
    let group = try SRPError.of { () throws(CryptoError) in
      try ModularGroup(modulus: prime, generator: generator)
    }
    // Modulo a safe prime, all of 2...N - 2 generate at least half of the group.
    guard try SRPError.of({ () throws(CryptoError) in try group.range(of: generator.span) }) == .inside else {
      throw .generatorUnsuitable
    }
    switch try SRPError.of({ () throws(CryptoError) in try group.primality() }) {
    case .composite: throw .groupNotPrime
    case .prime: throw .groupNotSafe
    case .safePrime: arithmetic = group
    }
  }

  package init(_ arithmetic: ModularGroup) { self.arithmetic = arithmetic }

  /// N, big-endian, without leading zeros.
  public var prime: [UInt8] { arithmetic.modulus }
  /// g, big-endian, without leading zeros.
  public var generator: [UInt8] { arithmetic.generator }
  /// The length of N in bits.
  public var bits: Int { arithmetic.bits }
  /// The length of N in bytes.
  public var size: Int { arithmetic.size }

  /// The size of a private number in bits: more than twice the group's strength by the larger estimate of RFC
  /// 3526 section 8.
  package var exponentBits: Int { bits > 4_096 ? 640 : 512 }

  /// Refuses a public number that would reveal the key. Called before secrets are used.
  package func check(_ bytes: [UInt8], of side: SRPError.Side) throws(SRPError) {
    let count = bytes.count - (bytes.firstIndex { $0 != 0 } ?? bytes.count)
    // Twice N is one bit longer than N, and still a multiple of it.
    guard count <= size + 1 else { throw .publicKeyTooLong(side, size: count, limit: size) }
    let range = try SRPError.of { () throws(CryptoError) in
      try arithmetic.range(of: bytes.span.extracting(droppingFirst: bytes.count - count))
    }
    switch range {
    case .zero: throw .publicKeyZero(side)
    case .trivial: throw .publicKeyTrivial(side)
    case .outside:
      guard count <= size else { throw .publicKeyTooLong(side, size: count, limit: size) }
      throw .publicKeyOutOfRange(side)
    case .inside: return
    }
  }
}
