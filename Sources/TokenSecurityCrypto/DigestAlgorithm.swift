internal import CTokenSecurityOpenSSL

/// The digests of SHA-2, and SHA-1 (FIPS 180-4).
///
/// SHA-1 is here for what standards still build on it: one-time codes, checksums of uploads. No signature is made
/// or accepted with it.
package enum DigestAlgorithm: Sendable, Hashable, CaseIterable {
  case sha1
  case sha256
  case sha384
  case sha512

  /// The length of a digest in bytes.
  package var size: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  var name: StaticString {
    switch self {
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    case .sha384: "SHA384"
    case .sha512: "SHA512"
    }
  }

  /// Fetched once: looking an algorithm up costs libcrypto more than hashing a token does.
  var implementation: OpaquePointer? { unsafe prepared.implementation }

  private var prepared: PreparedDigest {
    switch self {
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }

  /// The digest of `bytes`.
  package func hash(_ bytes: borrowing Span<UInt8>) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    let done = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe digest.withUnsafeMutableBufferPointer { output in
        unsafe prepared.slots.withPair { pair in
          unsafe EVP_DigestInit_ex2(pair.key, nil, nil) == 1
            && EVP_DigestUpdate(pair.key, input.baseAddress, input.count) == 1
            && EVP_DigestFinal_ex(pair.key, output.baseAddress, nil) == 1
        }
      }
    }
    guard done == true else { throw .library("EVP_Digest") }
    return digest
  }

  /// The SHA-256 of `bytes`, in no memory of its own.
  package static func sha256(of bytes: borrowing Span<UInt8>) throws(CryptoError) -> InlineArray<32, UInt8> {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var span = digest.mutableSpan
    let done = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe span.withUnsafeMutableBufferPointer { output in
        unsafe PreparedDigest.sha256.slots.withPair { pair in
          unsafe EVP_DigestInit_ex2(pair.key, nil, nil) == 1
            && EVP_DigestUpdate(pair.key, input.baseAddress, input.count) == 1
            && EVP_DigestFinal_ex(pair.key, output.baseAddress, nil) == 1
        }
      }
    }
    guard done == true else { throw .library("EVP_Digest") }
    return digest
  }
}

/// A digest that libcrypto has looked up, and contexts that are kept for it: making one costs as much as hashing a
/// token.
@safe
private final class PreparedDigest: @unchecked Sendable {
  let implementation: OpaquePointer?
  let slots: ContextSlots

  static let sha1 = PreparedDigest(.sha1)
  static let sha256 = PreparedDigest(.sha256)
  static let sha384 = PreparedDigest(.sha384)
  static let sha512 = PreparedDigest(.sha512)

  private init(_ algorithm: DigestAlgorithm) {
    let implementation = algorithm.name.withUTF8Buffer {
      unsafe EVP_MD_fetch(nil, UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self), nil)
    }
    unsafe self.implementation = unsafe implementation
    let shared = unsafe SharedDigest(pointer: implementation)
    slots = unsafe ContextSlots {
      guard let context = unsafe EVP_MD_CTX_new() else { return nil }
      guard unsafe EVP_DigestInit_ex2(context, shared.pointer, nil) == 1 else {
        unsafe EVP_MD_CTX_free(context)
        return nil
      }
      return unsafe ContextPair(key: context, scratch: nil)
    } discard: { pair in
      unsafe EVP_MD_CTX_free(pair.key)
    }
  }
}

/// libcrypto's description of a digest, which nobody changes once it is fetched.
@safe
private struct SharedDigest: @unchecked Sendable {
  let pointer: OpaquePointer?

  init(pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }
}
