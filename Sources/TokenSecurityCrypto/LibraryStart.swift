internal import CTokenSecurityOpenSSL

/// How libcrypto starts.
package enum LibraryStart {
  /// Starts libcrypto without what a short-lived program has no use for: its configuration file, texts
  /// of errors, tables of legacy names. To be called before anything else here, or not at all; a
  /// library leaves that choice to the program it is part of.
  package static func minimal() {
    let none =
      OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_ADD_ALL_CIPHERS
      | OPENSSL_INIT_NO_ADD_ALL_DIGESTS | OPENSSL_INIT_NO_LOAD_CONFIG
    OPENSSL_init_crypto(UInt64(none), nil)
  }
}
