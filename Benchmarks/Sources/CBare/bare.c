#include "CBare.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <malloc.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct bare_verifier {
  EVP_PKEY *key;
  EVP_MD_CTX *prepared;
  EVP_MD_CTX *scratch;
  unsigned char point[32];
};

bare_verifier *bare_verifier_new(const char *pem, int sha256) {
  BIO *bio = BIO_new_mem_buf(pem, -1);
  EVP_PKEY *key = PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
  BIO_free(bio);
  if (!key) return NULL;
  bare_verifier *v = calloc(1, sizeof *v);
  v->key = key;
  v->prepared = EVP_MD_CTX_new();
  v->scratch = EVP_MD_CTX_new();
  if (EVP_DigestVerifyInit_ex(v->prepared, NULL, sha256 ? "SHA256" : NULL, NULL, NULL, key, NULL) != 1) {
    bare_verifier_free(v);
    return NULL;
  }
  size_t size = sizeof v->point;
  if (!sha256 && (EVP_PKEY_get_raw_public_key(key, v->point, &size) != 1 || sodium_init() < 0)) {
    bare_verifier_free(v);
    return NULL;
  }
  return v;
}

void bare_verifier_free(bare_verifier *v) {
  EVP_MD_CTX_free(v->prepared);
  EVP_MD_CTX_free(v->scratch);
  EVP_PKEY_free(v->key);
  free(v);
}

int bare_verify(bare_verifier *v, const unsigned char *message, size_t message_len, const unsigned char *signature,
                size_t signature_len) {
  if (EVP_MD_CTX_copy_ex(v->scratch, v->prepared) != 1) return 0;
  return EVP_DigestVerify(v->scratch, signature, signature_len, message, message_len) == 1;
}

int bare_sodium_verify(bare_verifier *v, const unsigned char *message, size_t message_len,
                       const unsigned char *signature) {
  return crypto_sign_verify_detached(signature, message, message_len, v->point) == 0;
}

struct bare_mac {
  EVP_MAC *mac;
  EVP_MAC_CTX *context;
};

bare_mac *bare_mac_new(const unsigned char *key, size_t key_len) {
  bare_mac *m = calloc(1, sizeof *m);
  m->mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  m->context = EVP_MAC_CTX_new(m->mac);
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0), OSSL_PARAM_construct_end()};
  if (EVP_MAC_init(m->context, key, key_len, params) != 1) {
    bare_mac_free(m);
    return NULL;
  }
  return m;
}

void bare_mac_free(bare_mac *m) {
  EVP_MAC_CTX_free(m->context);
  EVP_MAC_free(m->mac);
  free(m);
}

int bare_mac_verify(bare_mac *m, const unsigned char *message, size_t message_len, const unsigned char *code) {
  unsigned char out[32];
  size_t len = 0;
  return EVP_MAC_init(m->context, NULL, 0, NULL) == 1 && EVP_MAC_update(m->context, message, message_len) == 1 &&
         EVP_MAC_final(m->context, out, &len, sizeof out) == 1 && CRYPTO_memcmp(out, code, 32) == 0;
}

int bare_hmac_once(const unsigned char *key, size_t key_len, const unsigned char *message, size_t message_len,
                   const unsigned char *code) {
  unsigned char out[32];
  unsigned int len = 0;
  return HMAC(EVP_sha256(), key, (int)key_len, message, message_len, out, &len) && CRYPTO_memcmp(out, code, 32) == 0;
}

struct bare_digest {
  EVP_MD *md;
  EVP_MD_CTX *context;
};

bare_digest *bare_digest_new(void) {
  bare_digest *d = calloc(1, sizeof *d);
  d->md = EVP_MD_fetch(NULL, "SHA256", NULL);
  d->context = EVP_MD_CTX_new();
  return d;
}

void bare_digest_free(bare_digest *d) {
  EVP_MD_CTX_free(d->context);
  EVP_MD_free(d->md);
  free(d);
}

int bare_sha256(bare_digest *d, const unsigned char *message, size_t message_len, unsigned char *out) {
  return EVP_DigestInit_ex2(d->context, d->md, NULL) == 1 && EVP_DigestUpdate(d->context, message, message_len) == 1 &&
         EVP_DigestFinal_ex(d->context, out, NULL) == 1;
}

// Large blocks are mapped and counted apart.
size_t bare_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct bare_powers {
  BIGNUM *modulus, *generator, *base, *result, *bits256, *bits512, *bits1024;
  BN_MONT_CTX *montgomery;
  BN_CTX *context;
};

static BIGNUM *random_bits(int bits) {
  BIGNUM *number = BN_new();
  BN_rand(number, bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY);
  BN_set_flags(number, BN_FLG_CONSTTIME);
  return number;
}

bare_powers *bare_powers_new(void) {
  bare_powers *p = calloc(1, sizeof *p);
  p->modulus = BN_get_rfc3526_prime_3072(NULL);
  p->generator = BN_new();
  BN_set_word(p->generator, 2);
  p->base = random_bits(3071);
  p->result = BN_new();
  p->bits256 = random_bits(256);
  p->bits512 = random_bits(512);
  p->bits1024 = random_bits(1024);
  p->context = BN_CTX_new();
  p->montgomery = BN_MONT_CTX_new();
  BN_MONT_CTX_set(p->montgomery, p->modulus, p->context);
  return p;
}

static int power(bare_powers *p, const BIGNUM *base, const BIGNUM *exponent) {
  return BN_mod_exp_mont_consttime(p->result, base, exponent, p->modulus, p->context, p->montgomery);
}

int bare_client_powers(bare_powers *p) {
  return power(p, p->generator, p->bits1024) && power(p, p->generator, p->bits256) && power(p, p->base, p->bits1024);
}

int bare_server_powers(bare_powers *p) {
  return power(p, p->generator, p->bits512) && power(p, p->base, p->bits256) && power(p, p->base, p->bits512);
}

const char *bare_prime(void) { return BN_bn2hex(BN_get_rfc3526_prime_3072(NULL)); }

bare_mac *bare_mac_sha1_new(const unsigned char *key, size_t key_len) {
  bare_mac *m = calloc(1, sizeof *m);
  m->mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  m->context = EVP_MAC_CTX_new(m->mac);
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", "SHA1", 0), OSSL_PARAM_construct_end()};
  if (EVP_MAC_init(m->context, key, key_len, params) != 1) {
    bare_mac_free(m);
    return NULL;
  }
  return m;
}

static void big_endian(unsigned long number, unsigned char *bytes) {
  for (int place = 0; place < 8; place++) bytes[place] = number >> (56 - 8 * place);
}

int bare_mac_sha1(bare_mac *m, unsigned long number, unsigned char *out) {
  unsigned char message[8];
  size_t length = 0;
  big_endian(number, message);
  return EVP_MAC_init(m->context, NULL, 0, NULL) == 1 && EVP_MAC_update(m->context, message, 8) == 1 &&
         EVP_MAC_final(m->context, out, &length, 20) == 1;
}

int bare_hmac_sha1_once(const unsigned char *key, size_t key_len, unsigned long number, unsigned char *out) {
  unsigned char message[8];
  unsigned length = 0;
  big_endian(number, message);
  return HMAC(EVP_sha1(), key, (int)key_len, message, 8, out, &length) != NULL;
}
