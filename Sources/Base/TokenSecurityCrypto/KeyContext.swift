internal import CTokenSecurityOpenSSL

/// A context that is set up to sign or verify with one key. Each use takes a copy.
///
/// libcrypto evaluates key, padding and digest once, here. Copies share the key and can be used on different
/// threads.
@safe
final class KeyContext: @unchecked Sendable {
  private let pointer: OpaquePointer

  enum Use: Sendable {
    case sign
    case verify
  }

  init(_ key: KeyHandle, scheme: SignatureScheme, use: Use) throws(CryptoError) {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else {
      throw .library("EVP_PKEY_CTX_new_from_pkey")
    }
    var isReady: Bool
    switch use {
    case .sign: isReady = unsafe EVP_PKEY_sign_init(context) == 1
    case .verify: isReady = unsafe EVP_PKEY_verify_init(context) == 1
    }
    switch scheme {
    case .rsaPKCS1:
      isReady = unsafe isReady && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .rsaPSS:
      isReady =
        unsafe isReady && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    case .ecdsa, .eddsa: break
    }
    if let digest = scheme.digest {
      isReady =
        unsafe isReady && EVP_PKEY_CTX_set_signature_md(context, digest.implementation) == 1
    }
    guard isReady else {
      unsafe EVP_PKEY_CTX_free(context)
      ERR_clear_error()
      throw .library("EVP_PKEY_CTX")
    }
    unsafe pointer = unsafe context
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }

  /// A copy for the caller to free.
  func duplicate() throws(CryptoError) -> OpaquePointer {
    guard let copy = unsafe EVP_PKEY_CTX_dup(pointer) else { throw .library("EVP_PKEY_CTX_dup") }
    return unsafe copy
  }
}
