internal import CTokenSecurityOpenSSL

extension PrivateKey {
  /// The key on P-256 with the secret number `candidate` + 1, for key generation by rejection sampling (FIPS
  /// 186-5 appendix A.2.2); nil if `candidate` is larger than n - 2 and another must be tried.
  package init?(p256Candidate candidate: borrowing SecretBytes) throws(CryptoError) {
    guard candidate.count == EllipticCurve.p256.coordinateSize else {
      throw .wrongLength(expected: EllipticCurve.p256.coordinateSize, actual: candidate.count)
    }
    guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
      throw .library("EC_GROUP_new_by_curve_name")
    }
    defer { unsafe EC_GROUP_free(group) }
    let number = unsafe BN_secure_new()
    let x = unsafe BN_new()
    let y = unsafe BN_new()
    let last = unsafe BN_dup(EC_GROUP_get0_order(group))
    let point = unsafe EC_POINT_new(group)
    let context = unsafe BN_CTX_secure_new()
    defer {
      unsafe BN_clear_free(number)
      unsafe BN_free(x)
      unsafe BN_free(y)
      unsafe BN_free(last)
      unsafe EC_POINT_free(point)
      unsafe BN_CTX_free(context)
    }
    let read = unsafe candidate.withBytes { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe BN_bin2bn($0.baseAddress, Int32($0.count), number) }
    }
    guard unsafe read != nil, unsafe BN_sub_word(last, 2) == 1 else { throw .library("BN_bin2bn") }
    guard unsafe BN_cmp(number, last) <= 0 else { return nil }
    // Constant time: libcrypto multiplies the generator by a ladder.
    unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
    guard unsafe BN_add_word(number, 1) == 1,
      unsafe EC_POINT_mul(group, point, number, nil, nil, context) == 1,
      unsafe EC_POINT_get_affine_coordinates(group, point, x, y, context) == 1
    else { throw .library("EC_POINT_mul") }
    let secret = try SecretBytes(count: candidate.count) { span throws(CryptoError) in
      let written = unsafe span.withUnsafeMutableBufferPointer {
        unsafe BN_bn2binpad(number, $0.baseAddress, Int32($0.count))
      }
      guard written == candidate.count else { throw .library("BN_bn2binpad") }
    }
    try self.init(
      curve: .p256, x: unsafe Self.coordinate(x, candidate.count),
      y: unsafe Self.coordinate(y, candidate.count),
      secret: secret)
  }

  private static func coordinate(_ number: OpaquePointer?, _ size: Int) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    let written = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe BN_bn2binpad(number, $0.baseAddress, Int32($0.count))
    }
    guard written == size else { throw .library("BN_bn2binpad") }
    return bytes
  }
}
