#include "pages.h"

/* #embed is of C23; clang has it in all versions of the language. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char error_codes[] = {
#embed "../../../docs/error-codes.md"
};

static const unsigned char identity_service[] = {
#embed "../../../docs/identity-service.md"
};

static const unsigned char verify_token[] = {
#embed "../../../docs/verify-token.md"
};

static const unsigned char sidecar[] = {
#embed "../../../docs/sidecar.md"
};

const unsigned char *page_bytes(int page) {
  switch (page) {
    case page_identity_service: return identity_service;
    case page_verify_token: return verify_token;
    case page_sidecar: return sidecar;
    default: return error_codes;
  }
}

size_t page_size(int page) {
  switch (page) {
    case page_identity_service: return sizeof identity_service;
    case page_verify_token: return sizeof verify_token;
    case page_sidecar: return sizeof sidecar;
    default: return sizeof error_codes;
  }
}
