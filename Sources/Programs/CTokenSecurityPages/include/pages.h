/* Pages of docs/ inside a program. */
#ifndef TOKEN_SECURITY_PAGES_H
#define TOKEN_SECURITY_PAGES_H

#include <stddef.h>

/* The pages with tables of error codes. */
enum { page_error_codes, page_identity_service, page_sidecar, page_verify_token };

/* The bytes of a page. */
extern const unsigned char *page_bytes(int page);
/* The number of bytes of a page. */
extern size_t page_size(int page);

#endif
