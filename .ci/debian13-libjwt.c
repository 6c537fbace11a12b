// A library with the name that libjwt 1.10 has, for tests that were linked with it. It refers to the libjwt of the system that
// compiles this file, which must declare what the tests use as libjwt 1.10 did.
#include <jwt.h>

_Static_assert(JWT_ALG_NONE == 0 && JWT_ALG_HS256 == 1 && JWT_ALG_HS384 == 2 && JWT_ALG_HS512 == 3, "HMAC");
_Static_assert(JWT_ALG_RS256 == 4 && JWT_ALG_RS384 == 5 && JWT_ALG_RS512 == 6, "RSA");
_Static_assert(JWT_ALG_ES256 == 7 && JWT_ALG_ES384 == 8 && JWT_ALG_ES512 == 9, "ECDSA");

// An initialiser of another type is a warning, which is an error here.
static int (*const make)(jwt_t **) = jwt_new;
static void (*const release)(jwt_t *) = jwt_free;
static int (*const decode)(jwt_t **, const char *, const unsigned char *, int) = jwt_decode;
// Without const in libjwt 1.10, which changes nothing for its callers.
static jwt_alg_t (*const algorithm)(const jwt_t *) = jwt_get_alg;
static int (*const grants)(jwt_t *, const char *) = jwt_add_grants_json;
static int (*const sign_with)(jwt_t *, jwt_alg_t, const unsigned char *, int) = jwt_set_alg;
static char *(*const encode)(jwt_t *) = jwt_encode_str;

// Keeps them from being unused.
int token_security_libjwt(void) { return make && release && decode && algorithm && grants && sign_with && encode; }
