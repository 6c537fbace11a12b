// The claims of a token of a user pool, verified with the keys of a file at a time in seconds since 1970.
//
//	go run claims.go TOKEN_FILE KEYS_FILE TIME
package main

// #include <stdlib.h>
// #include <tokensecurity.h>
import "C"

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"
)

const policy = `{"version": 1, "issuers": [{"profile": "cognito-user-pool", "pool": "eu-west-1_Example01",
  "use": "access", "client_ids": "1h57kf5cpq17m0eml12EXAMPLE", "keys": "given"}]}`

func fail(err *C.ts_error) {
	fmt.Fprintln(os.Stderr, C.GoString(C.ts_error_code(err)), C.GoString(C.ts_error_message(err)))
	C.ts_error_free(err)
	os.Exit(1)
}

func main() {
	compact, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	keys, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	now, err := strconv.ParseInt(os.Args[3], 10, 64)
	if err != nil {
		panic(err)
	}
	document := C.CString(policy)
	defer C.free(unsafe.Pointer(document))
	var verifier *C.ts_verifier
	var failure *C.ts_error
	if C.ts_verifier_create(document, C.size_t(len(policy)), (*C.uint8_t)(unsafe.Pointer(&keys[0])), C.size_t(len(keys)), &verifier, &failure) != 0 {
		fail(failure)
	}
	defer C.ts_verifier_free(verifier)
	text := strings.TrimSpace(string(compact))
	token := C.CString(text)
	defer C.free(unsafe.Pointer(token))
	var verified *C.ts_token
	if C.ts_verifier_verify(verifier, token, C.size_t(len(text)), C.int64_t(now), 0, &verified, &failure) != 0 {
		fail(failure)
	}
	defer C.ts_token_free(verified)
	fmt.Println(C.GoString(C.ts_token_claims(verified, nil)))
}
