internal import CTokenSecurityOpenSSL

/// Arithmetic modulo an odd number with a fixed generator, for key exchanges over the integers.
///
/// Exponents and bases may be secret: libcrypto exponentiates in constant time. Threads can share a group.
@safe
package final class ModularGroup: @unchecked Sendable {
  /// The modulus, its first byte not zero.
  package let modulus: [UInt8]
  /// The generator, its first byte not zero.
  package let generator: [UInt8]
  /// The modulus's length in bits.
  package let bits: Int

  private let modulusNumber: Number
  private let generatorNumber: Number
  private let montgomery: OpaquePointer

  /// The modulus's length in bytes.
  package var size: Int { modulus.count }

  /// Prepares a group. Checks only that the modulus is odd and larger than the generator.
  package init(modulus: [UInt8], generator: [UInt8]) throws(CryptoError) {
    let modulus = Array(modulus.drop { $0 == 0 })
    let generator = Array(generator.drop { $0 == 0 })
    guard let last = modulus.last, last & 1 == 1 else { throw .library("BN_MONT_CTX_set") }
    let modulusNumber = try Number(modulus.span)
    let generatorNumber = try Number(generator.span)
    guard unsafe BN_ucmp(generatorNumber.pointer, modulusNumber.pointer) < 0 else {
      throw .library("BN_MONT_CTX_set")
    }
    guard let montgomery = unsafe BN_MONT_CTX_new() else { throw .library("BN_MONT_CTX_new") }
    guard let context = unsafe BN_CTX_new() else {
      unsafe BN_MONT_CTX_free(montgomery)
      throw .library("BN_CTX_new")
    }
    defer { unsafe BN_CTX_free(context) }
    guard unsafe BN_MONT_CTX_set(montgomery, modulusNumber.pointer, context) == 1 else {
      unsafe BN_MONT_CTX_free(montgomery)
      throw .library("BN_MONT_CTX_set")
    }
    bits = Int(unsafe BN_num_bits(modulusNumber.pointer))
    self.modulus = modulus
    self.generator = generator
    self.modulusNumber = modulusNumber
    self.generatorNumber = generatorNumber
    unsafe self.montgomery = unsafe montgomery
  }

  deinit {
    unsafe BN_MONT_CTX_free(montgomery)
  }

  /// The generator to the power of `exponent`.
  package func power(ofGenerator exponent: borrowing Number) throws(CryptoError) -> Number {
    try power(generatorNumber, exponent)
  }

  /// `base` to the power of `exponent`; the base is below the modulus.
  package func power(
    _ base: borrowing Number, _ exponent: borrowing Number
  ) throws(CryptoError) -> Number {
    try unsafe compute("BN_mod_exp_mont_consttime") { result, context in
      unsafe BN_mod_exp_mont_consttime(
        result, base.pointer, exponent.pointer, modulusNumber.pointer, context, montgomery)
    }
  }

  /// The product of two numbers below the modulus.
  package func product(
    _ left: borrowing Number, _ right: borrowing Number
  ) throws(CryptoError) -> Number {
    try unsafe compute("BN_mod_mul_montgomery") { result, context in
      // With one factor in Montgomery form the product is in normal form.
      unsafe BN_to_montgomery(result, left.pointer, montgomery, context) == 1
        ? BN_mod_mul_montgomery(result, result, right.pointer, montgomery, context) : 0
    }
  }

  /// The sum of two numbers below the modulus.
  package func sum(_ left: borrowing Number, _ right: borrowing Number) throws(CryptoError) -> Number {
    try unsafe compute("BN_mod_add_quick") { result, _ in
      unsafe BN_mod_add_quick(result, left.pointer, right.pointer, modulusNumber.pointer)
    }
  }

  /// The difference of two numbers below the modulus.
  package func difference(
    _ left: borrowing Number, _ right: borrowing Number
  ) throws(CryptoError) -> Number {
    try unsafe compute("BN_mod_sub_quick") { result, _ in
      unsafe BN_mod_sub_quick(result, left.pointer, right.pointer, modulusNumber.pointer)
    }
  }

  /// The remainder of a number of any size.
  package func remainder(_ number: borrowing Number) throws(CryptoError) -> Number {
    try unsafe compute("BN_nnmod") { result, context in
      unsafe BN_nnmod(result, number.pointer, modulusNumber.pointer, context)
    }
  }

  private func compute(
    _ name: String, _ body: (OpaquePointer, OpaquePointer) -> Int32
  ) throws(CryptoError) -> Number {
    let result = try Number()
    guard let context = unsafe BN_CTX_secure_new() else { throw .library("BN_CTX_secure_new") }
    defer { unsafe BN_CTX_free(context) }
    guard unsafe body(result.pointer, context) == 1 else { throw .library(name) }
    return result
  }

  /// The range of a public number.
  package enum NumberRange: Sendable {
    /// Zero, or a multiple of the modulus.
    case zero
    /// One, or the modulus - 1: all powers are one of these two.
    case trivial
    /// Larger than the modulus, and not a multiple.
    case outside
    /// From 2 to the modulus - 2.
    case inside
  }

  /// The range of the public number `bytes`.
  package func range(of bytes: borrowing Span<UInt8>) throws(CryptoError) -> NumberRange {
    let number = try Number(bytes)
    let rest = try remainder(number)
    let other = try Number()
    guard unsafe BN_sub(other.pointer, modulusNumber.pointer, number.pointer) == 1 else {
      throw .library("BN_sub")
    }
    // The number may be a verifier, which is secret; its range is public.
    if unsafe Declassification.of(BN_is_zero(rest.pointer)) == 1 { return .zero }
    if unsafe Declassification.of(BN_ucmp(number.pointer, modulusNumber.pointer)) > 0 { return .outside }
    if unsafe Declassification.of(BN_is_one(number.pointer)) == 1 { return .trivial }
    return unsafe Declassification.of(BN_is_one(other.pointer)) == 1 ? .trivial : .inside
  }

  /// The kinds of moduli.
  package enum Primality: Sendable {
    case composite
    /// A prime p for which (p - 1) / 2 is composite.
    case prime
    /// A prime p for which (p - 1) / 2 is prime.
    case safePrime
  }

  /// Tests whether the modulus is a prime and a safe prime, with an error below 2^-128 (at least 64 rounds of
  /// Miller-Rabin). Takes milliseconds for 1,024 bits, seconds for 8,192.
  package func primality() throws(CryptoError) -> Primality {
    guard let context = unsafe BN_CTX_new() else { throw .library("BN_CTX_new") }
    defer { unsafe BN_CTX_free(context) }
    switch unsafe BN_check_prime(modulusNumber.pointer, context, nil) {
    case 0: return .composite
    case 1: break
    default: throw .library("BN_check_prime")
    }
    let half = try Number()
    guard unsafe BN_rshift1(half.pointer, modulusNumber.pointer) == 1 else { throw .library("BN_rshift1") }
    switch unsafe BN_check_prime(half.pointer, context, nil) {
    case 0: return .prime
    case 1: return .safePrime
    default: throw .library("BN_check_prime")
    }
  }
}

extension ModularGroup {
  /// The primes of RFC 3526 in libcrypto, by their bits.
  package enum KnownPrime: Sendable {
    case bits3072
    case bits4096
    case bits6144
    case bits8192

    /// The prime, big-endian; empty for lack of memory.
    package var bytes: [UInt8] {
      let number =
        switch self {
        case .bits3072: unsafe BN_get_rfc3526_prime_3072(nil)
        case .bits4096: unsafe BN_get_rfc3526_prime_4096(nil)
        case .bits6144: unsafe BN_get_rfc3526_prime_6144(nil)
        case .bits8192: unsafe BN_get_rfc3526_prime_8192(nil)
        }
      defer { unsafe BN_free(number) }
      var bytes = [UInt8](repeating: 0, count: unsafe number == nil ? 0 : Int(BN_num_bits(number) + 7) / 8)
      unsafe bytes.withUnsafeMutableBufferPointer { _ = unsafe BN_bn2bin(number, $0.baseAddress) }
      return bytes
    }
  }
}
