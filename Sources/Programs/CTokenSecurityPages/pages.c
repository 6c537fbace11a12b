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

const unsigned char *ts_page_bytes(int page) {
  return page == ts_page_error_codes ? error_codes : page == ts_page_identity_service ? identity_service : verify_token;
}

size_t ts_page_size(int page) {
  return page == ts_page_error_codes        ? sizeof error_codes
         : page == ts_page_identity_service ? sizeof identity_service
                                            : sizeof verify_token;
}
