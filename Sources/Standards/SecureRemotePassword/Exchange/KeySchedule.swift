internal import TokenSecurityCrypto

/// The computations of both sides (RFC 5054 section 2.6, RFC 2945 section 3).
extension SRPParameters {
  /// x (RFC 5054 section 2.4).
  func passwordExponent(
    identity: [UInt8], password: borrowing SecretBytes, salt: [UInt8]
  ) throws(CryptoError) -> Number {
    try ExchangeArithmetic.passwordExponent(
      hash.algorithm, identity: identity, password: password, salt: salt)
  }

  /// u = H(PAD(A) | PAD(B)) (RFC 5054 section 2.6).
  func scramblingParameter(client: [UInt8], server: [UInt8]) throws(SRPError) -> [UInt8] {
    try ExchangeArithmetic.scramblingParameter(
      hash.algorithm, client: Self.padded(Array(client.drop { $0 == 0 }), group.size),
      server: Self.padded(Array(server.drop { $0 == 0 }), group.size))
  }

  /// K, from S as long as N.
  func sessionKey(_ secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    switch proof.sessionKey {
    case .digest:
      var digest = try RunningDigest(hash.algorithm)
      try digest.update(secret, from: proof.numbers == .padded ? 0 : secret.numberStart(signed: false))
      return try digest.finishSecretly()
    case .interleaved: return try interleaved(secret)
    }
  }

  /// SHA_Interleave (RFC 2945 section 3.1): hashes the bytes at even and at odd positions and interleaves the
  /// two digests, after removing leading zeros, and the first byte of an odd number of bytes.
  private func interleaved(_ secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    // RFC 2945 removes leading zeros, so that the time depends on the length of S.
    var start = Declassification.of(secret.numberStart(signed: false))
    if (secret.count - start) % 2 == 1 { start += 1 }
    let count = (secret.count - start) / 2
    let even = try everySecond(of: secret, from: start, count: count)
    let odd = try everySecond(of: secret, from: start + 1, count: count)
    return SecretBytes(count: even.count * 2) { output in
      even.withBytes { even in
        odd.withBytes { odd in
          for index in even.indices {
            output[2 * index] = even[index]
            output[2 * index + 1] = odd[index]
          }
        }
      }
    }
  }

  private func everySecond(
    of secret: borrowing SecretBytes, from start: Int, count: Int
  ) throws(CryptoError) -> SecretBytes {
    let bytes = SecretBytes(count: count) { output in
      secret.withBytes { secret in
        for index in 0..<count { output[index] = secret[start + 2 * index] }
      }
    }
    var digest = try RunningDigest(hash.algorithm)
    try digest.update(bytes)
    return try digest.finishSecretly()
  }

  /// M1 = H(H(N) xor H(g) | H(I) | s | A | B | K) (RFC 2945 section 3).
  func clientProof(
    identity: [UInt8], salt: [UInt8], client: [UInt8], server: [UInt8], key: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let name = try hash.algorithm.hash(identity.span)
    var digest = try RunningDigest(hash.algorithm)
    try digest.update(prepared.groupHash)
    try digest.update(name)
    try digest.update(salt)
    try digest.update(form(client))
    try digest.update(form(server))
    try digest.update(key)
    return try digest.finishSecretly()
  }

  /// M2 = H(A | M1 | K) (RFC 2945 section 3).
  func serverProof(
    client: [UInt8], clientProof: [UInt8], key: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    var digest = try RunningDigest(hash.algorithm)
    try digest.update(form(client))
    try digest.update(clientProof)
    try digest.update(key)
    return try digest.finishSecretly()
  }
}
