internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Moduli with the structure of CVE-2017-15361, computed in Python: M * t + (65537^a mod M), M the product of
/// the primes to 167. They need not be products of two primes.
@Suite struct ROCATests {
  private static let fingerprint =
    "8acef9e74895cf12e2e405c5c633f08b5c68374bbedc0c1e0c5f83d542869ec4c68dec1851ae498889cefac8357e2226"
    + "e5903d56c6d06421a3af44a9a8655ed26812c657c780ba2fc9e056dc6f86e0f36ff3f18868afd897c8ca01f9aace57f8"
    + "798388b305abe780201c7abd6cb969a479f8e5c131850de4853253fea9b37efe3f3456816ff8004698b78f93f1866615"
    + "dfb30c9abccd70f888aba5aa1ead150e57008be01bf3df078a4a664e842379e09af796bf9fae0de65f028367bf027a82"
    + "de18ad0d2951eaa3e470f421abc508bed5cca671768314a8beefe4215e440c73d6d44dd148b3a2a41daf095213cd09fa"
    + "672c36741ee5d468d3110b734f172ba9"

  /// The same, but its remainder modulo 167 is not a power of 65537.
  private static let neighbour =
    "8acef9e74895cf12e2e405c5c633f08b5c68374bbedc0c1e0c5f83d542869ec4c68dec1851ae498889cefac8357e2226"
    + "e5903d56c6d06421a3af44a9a8655ed26812c657c780ba2fc9e056dc6f86e0f36ff3f18868afd897c8ca01f9aace57f8"
    + "798388b305abe780201c7abd6cb969a479f8e5c131850de4853253fea9b37efe3f3456816ff8004698b78f93f1866615"
    + "dfb30c9abccd70f888aba5aa1ead150e57008be01bf3df078a4a664e842379e09af796bf9fae0de65f028367bf027a82"
    + "de18ad0d2951eaa3e470f421abc508bed5cca671768314a8beefe4215e440c73d6d44dd15009e0e047accd9ec16d8c04"
    + "4453167b677d3b4c15e406cd590c0565"

  @Test func structuredModuliAreRefused() throws {
    let modulus = try Hex.decode(Self.fingerprint)
    #expect(throws: CryptoError.rsaModulusROCA) {
      try PublicKey(.rsa(modulus: modulus, exponent: [1, 0, 1]))
    }
  }

  @Test func theLastPrimeCounts() throws {
    let modulus = try Hex.decode(Self.neighbour)
    #expect(try PublicKey(.rsa(modulus: modulus, exponent: [1, 0, 1])).bits == 2048)
  }
}
