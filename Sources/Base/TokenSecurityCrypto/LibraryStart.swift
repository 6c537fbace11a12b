internal import CTokenSecurityOpenSSL

/// The initialisation of libcrypto. Programs call it, not libraries, before any other function of this module.
package enum LibraryStart {
  /// Initialises libcrypto without freeing its memory at the end, for programs with threads: one that parses
  /// a key while the program ends would read freed memory.
  package static func lasting() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
  }

  /// Initialises libcrypto without its configuration file, error texts and tables of legacy names, and
  /// without freeing its memory at the end, for short-lived programs.
  package static func minimal() {
    let none =
      OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_ADD_ALL_CIPHERS
      | OPENSSL_INIT_NO_ADD_ALL_DIGESTS | OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT
    OPENSSL_init_crypto(UInt64(none), nil)
  }
}
