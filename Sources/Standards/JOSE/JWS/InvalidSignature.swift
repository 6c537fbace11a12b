internal import TokenSecurityCrypto

extension PreparedKeys {
  /// Why no key verifies a signature: another length of the salt, which costs one more operation for each key, or
  /// anything else.
  func invalid(
    _ candidates: Candidates, _ input: borrowing Span<UInt8>, _ signature: borrowing Span<UInt8>
  ) -> JOSEError {
    for key in keys(candidates) {
      guard let publicKey = key.publicKey,
        case .rsaPSS(let digest) = candidates.algorithm.scheme(for: publicKey.components),
        let size = try? PSSSaltLength.find(publicKey, digest, signature: signature, over: input)
      else { continue }
      return .signatureSaltLength(expected: digest.size, actual: size)
    }
    return .signatureInvalid
  }
}
