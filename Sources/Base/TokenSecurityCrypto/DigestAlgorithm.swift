internal import CTokenSecurityOpenSSL
internal import TokenSecurityBase

/// SHA-2 and SHA-1 (FIPS 180-4), and MD5 (RFC 1321).
///
/// SHA-1 is for standards that still require it: one-time codes, checksums of uploads. MD5 is for checksums of
/// uploads only. No signature uses them.
package enum DigestAlgorithm: Sendable, Hashable, CaseIterable {
  case md5
  case sha1
  case sha256
  case sha384
  case sha512

  /// The length of a digest in bytes.
  package var size: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  var name: StaticString {
    switch self {
    case .md5: "MD5"
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    case .sha384: "SHA384"
    case .sha512: "SHA512"
    }
  }

  var implementation: OpaquePointer? { unsafe prepared.implementation.pointer }

  private var prepared: PreparedDigest {
    switch self {
    case .md5: .md5
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }

  /// The digest of `bytes`.
  package func hash(_ bytes: borrowing Span<UInt8>) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](zeros: size)
    var span = digest.mutableSpan
    try prepared.hash(bytes, into: &span)
    return digest
  }

  /// The SHA-256 of `bytes`, without an allocation.
  package static func sha256(of bytes: borrowing Span<UInt8>) throws(CryptoError) -> InlineArray<32, UInt8> {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var span = digest.mutableSpan
    try PreparedDigest.sha256.hash(bytes, into: &span)
    return digest
  }
}

/// A digest and its pooled contexts: creating one costs as much as hashing a token.
private final class PreparedDigest: Sendable {
  let implementation: FetchedAlgorithm
  private let slots: ContextSlots

  static let md5 = PreparedDigest(.md5)
  static let sha1 = PreparedDigest(.sha1)
  static let sha256 = PreparedDigest(.sha256)
  static let sha384 = PreparedDigest(.sha384)
  static let sha512 = PreparedDigest(.sha512)

  private init(_ algorithm: DigestAlgorithm) {
    let digest = unsafe FetchedAlgorithm(EVP_MD_fetch(nil, algorithm.name.address, nil))
    implementation = digest
    slots = unsafe ContextSlots {
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      guard unsafe EVP_DigestInit_ex2(context, digest.pointer, nil) == 1 else {
        unsafe EVP_MD_CTX_free(context)
        return nil
      }
      return unsafe ContextPair(key: context, scratch: nil)
    } discard: { pair in
      unsafe EVP_MD_CTX_free(pair.key)
    }
  }

  @inline(__always)
  func hash(_ bytes: borrowing Span<UInt8>, into digest: inout MutableSpan<UInt8>) throws(CryptoError) {
    let done = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe digest.withUnsafeMutableBufferPointer { output in
        unsafe slots.withPair { pair in
          unsafe EVP_DigestInit_ex2(pair.key, nil, nil) == 1
            && EVP_DigestUpdate(pair.key, input.baseAddress, input.count) == 1
            && EVP_DigestFinal_ex(pair.key, output.baseAddress, nil) == 1
        }
      }
    }
    guard done == true else { throw .library("EVP_Digest") }
  }
}
