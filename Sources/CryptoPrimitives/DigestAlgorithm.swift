internal import COpenSSL

/// The digests of SHA-2 (FIPS 180-4).
package enum DigestAlgorithm: Sendable, Hashable, CaseIterable {
  case sha256
  case sha384
  case sha512

  /// The length of a digest in bytes.
  package var size: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  var name: StaticString {
    switch self {
    case .sha256: "SHA256"
    case .sha384: "SHA384"
    case .sha512: "SHA512"
    }
  }

  /// Fetched once: looking an algorithm up costs libcrypto more than hashing a token does.
  var implementation: OpaquePointer? {
    switch self {
    case .sha256: unsafe FetchedDigests.sha256
    case .sha384: unsafe FetchedDigests.sha384
    case .sha512: unsafe FetchedDigests.sha512
    }
  }

  /// The digest of `bytes`.
  package func hash(_ bytes: borrowing Span<UInt8>) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    let done = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe digest.withUnsafeMutableBufferPointer { output in
        unsafe EVP_Digest(
          input.baseAddress, input.count, output.baseAddress, nil, implementation, nil)
      }
    }
    guard done == 1 else { throw .library("EVP_Digest") }
    return digest
  }
}

private enum FetchedDigests {
  nonisolated(unsafe) static let sha256 = unsafe EVP_MD_fetch(nil, "SHA256", nil)
  nonisolated(unsafe) static let sha384 = unsafe EVP_MD_fetch(nil, "SHA384", nil)
  nonisolated(unsafe) static let sha512 = unsafe EVP_MD_fetch(nil, "SHA512", nil)
}
