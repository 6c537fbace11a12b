#ifndef CBARE_H
#define CBARE_H
#include <stddef.h>

// libcrypto's primitive and nothing around it: a key that was read before, contexts that were prepared
// before, the digest of the very bytes that are signed, and the signature in the form that libcrypto takes.

typedef struct bare_verifier bare_verifier;

// A verifier of signatures by the key in `pem`; NULL where it cannot be read. For Ed25519 `sha256` is 0.
bare_verifier *bare_verifier_new(const char *pem, int sha256);
void bare_verifier_free(bare_verifier *);
// 1 where the signature (DER for ECDSA) holds.
int bare_verify(bare_verifier *, const unsigned char *message, size_t message_len, const unsigned char *signature,
                size_t signature_len);
// The same by libsodium: a key for Ed25519 and 64 bytes of signature.
int bare_sodium_verify(bare_verifier *, const unsigned char *message, size_t message_len,
                       const unsigned char *signature);

typedef struct bare_mac bare_mac;

// HMAC-SHA256 with a context that has taken its key before.
bare_mac *bare_mac_new(const unsigned char *key, size_t key_len);
void bare_mac_free(bare_mac *);
int bare_mac_verify(bare_mac *, const unsigned char *message, size_t message_len, const unsigned char *code);

// HMAC-SHA256 in one call, as most programs have it.
int bare_hmac_once(const unsigned char *key, size_t key_len, const unsigned char *message, size_t message_len,
                   const unsigned char *code);

typedef struct bare_digest bare_digest;

// SHA-256 with a context that is kept.
bare_digest *bare_digest_new(void);
void bare_digest_free(bare_digest *);
int bare_sha256(bare_digest *, const unsigned char *message, size_t message_len, unsigned char *out);

typedef struct bare_powers bare_powers;

// The modular exponentiations of a sign-in, modulo the 3,072-bit prime of RFC 3526, in constant time, numbers read and
// Montgomery's constants made before.
bare_powers *bare_powers_new(void);
int bare_client_powers(bare_powers *);
int bare_server_powers(bare_powers *);
// That prime in hexadecimal digits.
const char *bare_prime(void);

// HMAC-SHA1 over the eight bytes of a number, with a context that has taken its key before, and in one call.
bare_mac *bare_mac_sha1_new(const unsigned char *key, size_t key_len);
int bare_mac_sha1(bare_mac *, unsigned long number, unsigned char *out);
int bare_hmac_sha1_once(const unsigned char *key, size_t key_len, unsigned long number, unsigned char *out);

// Bytes that this process has allocated and not freed.
size_t bare_bytes_in_use(void);

#endif
