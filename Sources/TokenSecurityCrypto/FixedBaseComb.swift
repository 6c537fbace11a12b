internal import CTokenSecurityOpenSSL

/// Powers of one base, with a table of its powers: the fixed-base comb of Lim and Lee (CRYPTO '94).
///
/// Five bits of the exponent at a time select an entry of the table, and eight selections share one squaring. A power
/// takes about a fifth of the multiplications that it takes without a table.
///
/// The exponent may be secret. Each selection reads all entries of its row, and libcrypto multiplies. Every row is
/// multiplied by a number of its own, with which no entry has leading zeros: libcrypto's time depends on them, and the
/// entry for five zero bits would be seen. The result is divided by these numbers.
@safe
final class FixedBaseComb: Sendable {
  /// The bits of a selection.
  private static let teeth = 5
  private static let rows = 8
  private static let entries = 1 << teeth
  /// The bytes of an element of the table. A modulus has a multiple of them.
  static let width = 64

  /// The bytes of an exponent.
  private let length: Int
  private let squarings: Int
  /// The bytes of the modulus and of an entry.
  private let size: Int
  /// Entries in Montgomery form, big-endian, by rows. The elements are as wide as the loop that selects.
  private let table: [SIMD8<UInt64>]
  /// The inverse of what the rows' numbers contribute to a power.
  private let correction: Number

  /// Computes the table, which takes as long as about two powers without one.
  ///
  /// - Parameters:
  ///   - base: the base, which is public.
  ///   - modulus: an odd modulus whose first bit is set, with a multiple of 512 bits.
  ///   - montgomery: the modulus's constants.
  ///   - size: the bytes of the modulus.
  ///   - length: the bytes of exponents.
  /// - Throws: `library`.
  init(
    _ base: borrowing Number, modulus: borrowing Number, _ montgomery: OpaquePointer, size: Int, length: Int
  ) throws(CryptoError) {
    guard let context = unsafe BN_CTX_secure_new() else { throw .library("BN_CTX_secure_new") }
    defer { unsafe BN_CTX_free(context) }
    let arithmetic = unsafe MontgomeryProducts(montgomery: montgomery, context: context)
    let squarings = (length * 8 + Self.teeth * Self.rows - 1) / (Self.teeth * Self.rows)

    // base^(2^(squarings * i)) for each tooth of each row.
    let power = try Number()
    guard unsafe BN_to_montgomery(power.pointer, base.pointer, montgomery, context) == 1 else {
      throw .library("BN_to_montgomery")
    }
    var powers = [try power.publicBytes(count: size)]
    while powers.count < Self.teeth * Self.rows {
      for _ in 0..<squarings { try arithmetic.multiply(power, power, into: power) }
      powers.append(try power.publicBytes(count: size))
    }

    let product = try Number([1])
    guard unsafe BN_to_montgomery(product.pointer, product.pointer, montgomery, context) == 1 else {
      throw .library("BN_to_montgomery")
    }
    var table: [SIMD8<UInt64>] = []
    table.reserveCapacity(Self.rows * Self.entries * size / Self.width)
    for row in 0..<Self.rows {
      let teeth = (0..<Self.teeth).map { powers[$0 * Self.rows + row] }
      // Each square is another number to multiply the row by. Seven of eight do.
      var found: [[UInt8]] = []
      for _ in 0..<64 where found.isEmpty {
        try arithmetic.multiply(power, power, into: power)
        let entries = try arithmetic.products(of: teeth, from: power, size: size)
        if entries.allSatisfy({ $0.first != 0 }) { found = entries }
      }
      guard !found.isEmpty else { throw .library("BN_mod_mul_montgomery") }
      try arithmetic.multiply(product, power, into: product)
      for entry in found { table += Self.elements(of: entry) }
    }

    // A row's number is in a power 2^squarings - 1 times.
    let total = try Number(try product.publicBytes(count: size))
    for _ in 1..<squarings {
      try arithmetic.multiply(total, total, into: total)
      try arithmetic.multiply(total, product, into: total)
    }
    let correction = try Number()
    guard unsafe BN_from_montgomery(total.pointer, total.pointer, montgomery, context) == 1,
      unsafe BN_mod_inverse(correction.pointer, total.pointer, modulus.pointer, context) != nil
    else { throw .library("BN_mod_inverse") }
    self.length = length
    self.squarings = squarings
    self.size = size
    self.table = table
    self.correction = correction
  }

  /// The base to the power of `exponent`, which has `length` bytes.
  func power(_ exponent: borrowing SecretBytes, _ montgomery: OpaquePointer) throws(CryptoError) -> Number {
    guard exponent.count == length else { throw .wrongLength(expected: length, actual: exponent.count) }
    guard let context = unsafe BN_CTX_secure_new() else { throw .library("BN_CTX_secure_new") }
    defer { unsafe BN_CTX_free(context) }
    let arithmetic = unsafe MontgomeryProducts(montgomery: montgomery, context: context)
    let result = try Number()
    let factor = try Number()
    var masks = [UInt64](repeating: 0, count: Self.entries)
    // Which entry was selected is secret: its copy is wiped.
    _ = try SecretBytes(count: size) { entry throws(CryptoError) in
      for column in (0..<squarings).reversed() {
        let isFirst = column == squarings - 1
        if !isFirst { try arithmetic.multiply(result, result, into: result) }
        for row in 0..<Self.rows {
          Self.setMasks(&masks, bits(of: exponent, row: row, column: column))
          select(masks, of: row, into: &entry)
          if isFirst && row == 0 {
            try result.read(entry.span)
          } else {
            try factor.read(entry.span)
            try arithmetic.multiply(result, factor, into: result)
          }
        }
      }
    }
    // No entry has this number: the masks are wiped.
    Self.setMasks(&masks, UInt64(Self.entries))
    // One factor is in normal form, and so is the product.
    try arithmetic.multiply(result, correction, into: result)
    return result
  }

  /// The bits of an exponent that select an entry.
  private func bits(of exponent: borrowing SecretBytes, row: Int, column: Int) -> UInt64 {
    exponent.withBytes { bytes in
      var selected: UInt64 = 0
      for tooth in 0..<Self.teeth {
        let place = (tooth * Self.rows + row) * squarings + column
        guard place < length * 8 else { break }
        selected |= UInt64(bytes[length - 1 - place / 8] &>> UInt8(place % 8) & 1) &<< UInt64(tooth)
      }
      return selected
    }
  }

  /// Sets the mask of the selected entry to ones, and the others to zero. Not inlined: the compiler, which knows no
  /// more of them, makes no branch of a mask.
  @inline(never)
  private static func setMasks(_ masks: inout [UInt64], _ selected: UInt64) {
    for place in masks.indices {
      let difference = selected ^ UInt64(place)
      masks[place] = 0 &- ((~difference & (difference &- 1)) >> 63)
    }
  }

  /// Copies the entry whose mask is set. The time and the places in memory do not depend on which.
  private func select(_ masks: [UInt64], of row: Int, into entry: inout MutableSpan<UInt8>) {
    let elements = size / Self.width
    unsafe table.withUnsafeBufferPointer { table in
      for element in 0..<elements {
        var found = SIMD8<UInt64>()
        var place = row * Self.entries * elements + element
        for mask in masks {
          found |= unsafe table[place] & SIMD8(repeating: mask)
          place &+= elements
        }
        for index in 0..<Self.width {
          entry[element * Self.width + index] = UInt8(
            truncatingIfNeeded: found[index / 8] &>> UInt64(index % 8 * 8))
        }
      }
    }
  }

  /// The elements of an entry.
  private static func elements(of entry: [UInt8]) -> [SIMD8<UInt64>] {
    stride(from: 0, to: entry.count, by: width).map { start in
      var element = SIMD8<UInt64>()
      for index in 0..<width { element[index / 8] |= UInt64(entry[start + index]) << UInt64(index % 8 * 8) }
      return element
    }
  }
}

/// Multiplication of numbers in Montgomery form.
@safe
private struct MontgomeryProducts {
  let montgomery: OpaquePointer
  let context: OpaquePointer

  func multiply(
    _ left: borrowing Number, _ right: borrowing Number, into result: borrowing Number
  ) throws(CryptoError) {
    guard
      unsafe BN_mod_mul_montgomery(result.pointer, left.pointer, right.pointer, montgomery, context) == 1
    else { throw .library("BN_mod_mul_montgomery") }
  }

  /// The products of `first` and each subset of `factors`, by the bits of the factors in the subset.
  func products(
    of factors: [[UInt8]], from first: borrowing Number, size: Int
  ) throws(CryptoError) -> [[UInt8]] {
    var products = [try first.publicBytes(count: size)]
    let result = try Number()
    for bytes in factors {
      let factor = try Number(bytes)
      for index in products.indices {
        try multiply(Number(products[index]), factor, into: result)
        products.append(try result.publicBytes(count: size))
      }
    }
    return products
  }
}

extension Number {
  /// Reads big-endian bytes into this number.
  fileprivate borrowing func read(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    let read = unsafe bytes.withUnsafeBufferPointer {
      unsafe BN_bin2bn($0.baseAddress, Int32($0.count), pointer)
    }
    guard unsafe read != nil else { throw .library("BN_bin2bn") }
  }
}
