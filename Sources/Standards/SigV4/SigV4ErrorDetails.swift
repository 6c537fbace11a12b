internal import TokenSecurityBase

extension SigV4Error {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .methodInvalid(let text):
      (
        .methodInvalid,
        "the method \(text.quoted) is not a token of 1 to 32 characters (RFC 9110 section 9.1)"
      )
    case .pathNotAbsolute: (.pathNotAbsolute, "the path does not begin with a slash")
    case .targetTooLong(let part, let size, let limit):
      (.targetTooLong, "the \(part) has \(size) bytes; \(limit) are allowed")
    case .targetCharacter(let part, let byte, let at):
      (.targetCharacter, "the \(part) has the byte 0x\(Hex.string([byte])) at \(at), which is not allowed")
    case .percentEncoding(let part, let at):
      (.percentEncoding, "the \(part) has % at \(at) without two hexadecimal digits (RFC 3986 section 2.1)")
    case .tooManyHeaders(let count, let limit):
      (.tooManyHeaders, "the request has \(count) headers; \(limit) are allowed")
    case .headersTooLarge(let limit):
      (.headersTooLarge, "the names and values of all headers have more than \(limit) bytes")
    case .headerName(let text):
      (.headerName, "the header name \(text.quoted) is not a token (RFC 9110 section 5.1)")
    case .headerValue(let name, let byte):
      (.headerValue, "the header \(name.quoted) has the control character 0x\(Hex.string([byte]))")
    case .hostMissing: (.hostMissing, "the header Host is missing; every signature covers it")
    case .hostMismatch(let host, let authority):
      (.hostMismatch, "Host is \(host.quoted), but the request is for \(authority.quoted)")
    case .hostNotAccepted(let text):
      (.hostNotAccepted, "the host \(text.quoted) is not a host of this service")
    case .headerRepeated(let text): (.headerRepeated, "the header \(text.quoted) occurs more than once")
    case .headerUnexpected(let text):
      (.headerUnexpected, "the header \(text.quoted) repeats a parameter of the presigned URL")
    case .headerUnsigned(let text):
      (.headerUnsigned, "the header \(text.quoted) must be signed, and is not signed")
    case .signedHeaderAbsent(let text):
      (.signedHeaderAbsent, "the header \(text.quoted) is signed, and is missing in the request")
    case .dateMissing: (.dateMissing, "X-Amz-Date is missing")
    case .dateMalformed(let text):
      (.dateMalformed, "the date \(text.quoted) does not have the form 20150830T123600Z, from 1970 to 9999")
    case .scopePart(let part, let text):
      (.scopePart, "the \(part) \(text.quoted) is not 1 to 64 letters, digits, or - . _ :")
    case .scopeTermination(let text):
      (.scopeTermination, "the credential scope ends with \(text.quoted) instead of aws4_request")
    case .scopeDateMismatch(let scope, let date):
      (
        .scopeDateMismatch,
        "the credential scope has the day \(scope.quoted), but the date is \(date.amzDate)"
      )
    case .credentialMalformed(let text):
      (
        .credentialMalformed,
        "Credential is \(text.quoted(upTo: 160)), not ID/DAY/REGION/SERVICE/aws4_request"
      )
    case .regionSetEmpty: (.regionSetEmpty, "a signature of AWS4-ECDSA-P256-SHA256 needs at least one region")
    case .regionSetMalformed(let text):
      (.regionSetMalformed, "X-Amz-Region-Set is \(text.quoted), which is not a list of regions")
    case .accessKeyMalformed(let text):
      (
        .accessKeyMalformed,
        "the access key ID \(text.quoted) is not 1 to 128 letters, digits, or - . _ ~ : @ + ="
      )
    case .secretEmpty: (.secretEmpty, "the secret is empty")
    case .sessionTokenMalformed:
      (.sessionTokenMalformed, "the session token is not 1 to 16384 visible ASCII characters")
    case .sessionTokenMismatch:
      (
        .sessionTokenMismatch,
        "the session token does not belong to the access key, or one of both is missing"
      )
    case .sessionTokenEmpty:
      (
        .sessionTokenEmpty,
        "the session token was sent empty, which is accepted only for a key that is known to have none"
      )
    case .credentialsExpired(let at, let now):
      (.credentialsExpired, "the credentials expired at \(at.amzDate), and it is \(now.amzDate)")
    case .signingKeyLength(let count):
      (.signingKeyLength, "a signing key has 32 bytes, not \(count)")
    case .signingKeyScope(let actual, let expected):
      (.signingKeyScope, "the signing key is for \(actual), but \(expected) is required")
    case .signingKeyUnavailable: (.signingKeyUnavailable, "no signing key could be derived from the secret")
    case .publicKeyInvalid: (.publicKeyInvalid, "the coordinates are not a point of P-256")
    case .keyAlgorithm(let algorithm): (.keyAlgorithm, "the key cannot verify \(algorithm.name)")
    case .randomUnavailable: (.randomUnavailable, "the system returned no random numbers")
    case .lifetime(let error): (.lifetime, "X-Amz-Expires: \(error)")
    case .expiresMalformed(let text):
      (.expiresMalformed, "X-Amz-Expires is \(text.quoted), which is not a whole number of seconds")
    case .payloadHashLength(let count):
      (.payloadHashLength, "the SHA-256 of a body has 32 bytes, not \(count)")
    case .payloadHashMissing:
      (
        .payloadHashMissing,
        "X-Amz-Content-Sha256 is missing; it is required to verify the request before the body"
      )
    case .payloadHashMalformed(let text):
      (
        .payloadHashMalformed,
        "X-Amz-Content-Sha256 is \(text.quoted), which is neither a SHA-256 nor a known mode"
      )
    case .payloadHashMismatch: (.payloadHashMismatch, "the body's hash differs from the signed hash")
    case .payloadModeAlgorithm(let mode, let algorithm):
      (.payloadModeAlgorithm, "the body is \(mode.name), but the request is signed with \(algorithm.name)")
    case .payloadNotAccepted(let value):
      (.payloadNotAccepted, "the payload binding \(value.name) is not accepted")
    case .payloadNotBound:
      (.payloadNotBound, "the signature binds the body in another way than the called method verifies")
    case .payloadNotPresignable:
      (.payloadNotPresignable, "a body that is streamed in signed chunks or events cannot be presigned")
    case .notStreamed: (.notStreamed, "the request was not signed for a body of this kind")
    case .chunkLayout(let text): (.chunkLayout, "impossible chunk layout: \(text)")
    case .signatureMissing:
      (.signatureMissing, "the request has no signature, neither in Authorization nor in the query")
    case .signatureTwice:
      (
        .signatureTwice,
        "the request has a signature in Authorization, and parameters of another in the query"
      )
    case .signatureVersion2(let part):
      (
        .signatureVersion2,
        "\(part) has a signature of AWS Signature Version 2, not 4; in boto3 set signature_version to s3v4"
      )
    case .authorizationMalformed(let text): (.authorizationMalformed, "Authorization is malformed: \(text)")
    case .algorithmUnknown(let text):
      (.algorithmUnknown, "the signature algorithm \(text.quoted) is unknown")
    case .algorithmNotAccepted(let algorithm):
      (.algorithmNotAccepted, "the algorithm \(algorithm.name) is not accepted")
    case .placementNotAccepted(let value):
      (.placementNotAccepted, "a signature in the \(value.name) is not accepted")
    case .parameterMissing(let text): (.parameterMissing, "\(text) is missing")
    case .parameterRepeated(let text): (.parameterRepeated, "\(text) occurs more than once")
    case .parameterUnexpected(let text):
      (.parameterUnexpected, "the parameter \(text.quoted) is not allowed")
    case .signedHeadersMalformed(let text):
      (
        .signedHeadersMalformed,
        "SignedHeaders is \(text.quoted(upTo: 160)), not a sorted list of unique lower-case names"
      )
    case .signatureMalformed(let length):
      (
        .signatureMalformed,
        "the signature is not lower-case hexadecimal of its algorithm's length: \(length) characters"
      )
    case .signatureMismatch: (.signatureMismatch, "the signature does not match the request and the key")
    case .accessKeyUnknown(let text): (.accessKeyUnknown, "the access key \(text.quoted) is unknown")
    case .wrongService(let actual, let expected):
      (.wrongService, "the signature is for the service \(actual.quoted), not \(expected.quoted)")
    case .wrongRegion(let actual, let expected):
      (.wrongRegion, "the signature is for the region \(actual.quoted), not \(expected.quoted)")
    case .requestExpired(let date, let now):
      (
        .requestExpired,
        "the request was signed at \(date.amzDate), \(now.seconds - date.seconds) s before now, \(now.amzDate)"
      )
    case .requestFromFuture(let date, let now):
      (
        .requestFromFuture,
        "the request was signed at \(date.amzDate), \(date.seconds - now.seconds) s after now, \(now.amzDate)"
      )
    case .presignedExpired(let at, let now):
      (.presignedExpired, "the presigned URL expired at \(at.amzDate), and it is \(now.amzDate)")
    case .ambiguous(let value, let at):
      (.ambiguous, "the target is ambiguous: \(value.name) at \(at)")
    case .replayed: (.replayed, "the request was accepted before, or the replay cache is full")
    case .decodedLengthMissing:
      (.decodedLengthMissing, "X-Amz-Decoded-Content-Length is missing or not a number")
    case .decodedLengthMismatch(let declared, let actual):
      (.decodedLengthMismatch, "a body of \(declared) bytes was declared, not \(actual)")
    case .chunkMalformed(let text): (.chunkMalformed, "the body is not valid aws-chunked: \(text)")
    case .chunkTooLarge(let size, let limit):
      (.chunkTooLarge, "\(size) bytes would be buffered before they are verified; \(limit) are allowed")
    case .chunkSignatureMismatch(let index):
      (.chunkSignatureMismatch, "the signature of chunk \(index) does not match")
    case .dataAfterEnd: (.dataAfterEnd, "bytes follow the end of the body")
    case .bodyEndedEarly: (.bodyEndedEarly, "the body ended before its last chunk or event")
    case .trailerDeclaration:
      (.trailerDeclaration, "X-Amz-Trailer does not match the payload mode, or declares several checksums")
    case .trailerUndeclared(let text): (.trailerUndeclared, "the trailer \(text.quoted) was not declared")
    case .trailerMissing(let text): (.trailerMissing, "the trailer \(text.quoted) is missing")
    case .trailerMalformed:
      (.trailerMalformed, "a trailer is malformed, repeated, or after the signature of the trailers")
    case .trailerSignatureMismatch:
      (.trailerSignatureMismatch, "the signature of the trailers does not match")
    case .checksumMismatch(let text):
      (.checksumMismatch, "the checksum \(text.quoted) does not match the body")
    case .xxHashTraitMissing(let text):
      (.xxHashTraitMissing, "the checksum \(text.quoted) needs a build with the package's trait XXHash")
    case .eventMalformed(let text): (.eventMalformed, "not a message of an event stream: \(text)")
    case .eventChecksum(let text): (.eventChecksum, "the checksum of an event's \(text) is wrong")
    case .eventSignatureMismatch: (.eventSignatureMismatch, "the signature of an event does not match")
    case .eventAfterEnd: (.eventAfterEnd, "an event follows the end of the stream")
    case .policyMalformed(let text): (.policyMalformed, "the POST policy is malformed: \(text)")
    case .policyExpired(let at, let now):
      (.policyExpired, "the POST policy expired at \(at), and it is \(now.amzDate)")
    case .policyCondition(let text): (.policyCondition, "the form does not meet the POST policy: \(text)")
    case .messageMalformed(let text): (.messageMalformed, "malformed message: \(text)")
    case .library(let text): (.library, "libcrypto's \(text) failed")
    }
  }
}
