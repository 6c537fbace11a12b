/* Pages of docs/ inside a program. */
#ifndef TOKEN_SECURITY_PAGES_H
#define TOKEN_SECURITY_PAGES_H

#include <stddef.h>

/* The pages with tables of error codes. */
enum { ts_page_error_codes, ts_page_identity_service, ts_page_sidecar, ts_page_verify_token };

/* The bytes of a page. */
extern const unsigned char *ts_page_bytes(int page);
/* The number of bytes of a page. */
extern size_t ts_page_size(int page);

#endif
