internal import CTokenSecurityOpenSSL

/// Detects RSA moduli of an Infineon library, which can be factored (CVE-2017-15361, "The Return of
/// Coppersmith's Attack", section 3.1): modulo each small prime they are a power of 65537.
enum ROCAFingerprint {
  private static let primes: [UInt64] = [
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
    107,
    109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
  ]

  /// For each prime: the remainders that are powers of 65537.
  private static let powers: [[Bool]] = primes.map { prime in
    var isPower = [Bool](repeating: false, count: Int(prime))
    var power: UInt64 = 1
    while !isPower[Int(power)] {
      isPower[Int(power)] = true
      power = power * 65_537 % prime
    }
    return isPower
  }

  /// True if `modulus` has the structure. A sound modulus has it with a probability of about 2^-27.
  static func matches(_ modulus: [UInt8]) throws(CryptoError) -> Bool {
    let number = unsafe modulus.withUnsafeBufferPointer {
      unsafe BN_bin2bn($0.baseAddress, Int32($0.count), nil)
    }
    guard let number = unsafe number else { throw .library("BN_bin2bn") }
    defer { unsafe BN_free(number) }
    for (prime, isPower) in zip(primes, powers) {
      // BN_mod_word returns the largest word for an error.
      let remainder = unsafe UInt64(BN_mod_word(number, UInt(prime)))
      guard remainder < prime else { throw .library("BN_mod_word") }
      guard isPower[Int(remainder)] else { return false }
    }
    return true
  }
}
