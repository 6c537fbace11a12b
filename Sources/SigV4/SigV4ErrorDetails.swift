internal import TokenSecurityEncodings

extension SigV4Error {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .methodInvalid(let text):
      (.methodInvalid, "the method \(text.quoted) is no token of 1 to 32 characters (RFC 9110 section 9.1)")
    case .pathNotAbsolute: (.pathNotAbsolute, "the path does not begin with a slash")
    case .targetTooLong(let part, let size, let limit):
      (.targetTooLong, "the \(part) has \(size) bytes, and \(limit) are allowed")
    case .targetCharacter(let part, let byte, let at):
      (.targetCharacter, "the \(part) has the byte 0x\(Hex.string([byte])) at \(at), which is not allowed")
    case .percentEncoding(let part, let at):
      (.percentEncoding, "the \(part) has % at \(at) without two hexadecimal digits (RFC 3986 section 2.1)")
    case .tooManyHeaders(let count, let limit):
      (.tooManyHeaders, "there are \(count) headers, and \(limit) are allowed")
    case .headersTooLarge(let limit):
      (.headersTooLarge, "names and values of the headers have more than \(limit) bytes together")
    case .headerName(let text):
      (.headerName, "the header name \(text.quoted) is no token (RFC 9110 section 5.1)")
    case .headerValue(let name, let byte):
      (.headerValue, "the header \(name.quoted) has the control character 0x\(Hex.string([byte]))")
    case .hostMissing: (.hostMissing, "there is no header Host, which every signature covers")
    case .hostMismatch(let host, let authority):
      (.hostMismatch, "Host is \(host.quoted), and the request is for \(authority.quoted)")
    case .hostNotAccepted(let text):
      (.hostNotAccepted, "the request was signed for the host \(text.quoted), which is none of this service")
    case .headerRepeated(let text): (.headerRepeated, "the header \(text.quoted) is there more than once")
    case .headerUnexpected(let text):
      (.headerUnexpected, "the header \(text.quoted) repeats what the query of a presigned URL says")
    case .headerUnsigned(let text): (.headerUnsigned, "the header \(text.quoted) must be signed and is not")
    case .signedHeaderAbsent(let text):
      (.signedHeaderAbsent, "the header \(text.quoted) was signed and is not there")
    case .dateMissing: (.dateMissing, "there is no X-Amz-Date")
    case .dateMalformed(let text):
      (.dateMalformed, "the date \(text.quoted) is not of the form 20150830T123600Z, from 1970 to 9999")
    case .scopePart(let part, let text):
      (.scopePart, "the \(part) \(text.quoted) is not 1 to 64 letters, digits, or - . _ :")
    case .scopeTermination(let text):
      (.scopeTermination, "the credential scope ends with \(text.quoted) instead of aws4_request")
    case .scopeDateMismatch(let scope, let date):
      (
        .scopeDateMismatch,
        "the credential scope is of the day \(scope.quoted), and the request of \(date.amzDate)"
      )
    case .credentialMalformed(let text):
      (
        .credentialMalformed,
        "Credential is \(text.quoted(upTo: 160)), not ID/DAY/REGION/SERVICE/aws4_request"
      )
    case .regionSetEmpty: (.regionSetEmpty, "a signature of AWS4-ECDSA-P256-SHA256 needs at least one region")
    case .regionSetMalformed(let text):
      (.regionSetMalformed, "X-Amz-Region-Set is \(text.quoted), which is no list of regions")
    case .accessKeyMalformed(let text):
      (
        .accessKeyMalformed,
        "the access key id \(text.quoted) is not 1 to 128 letters, digits, or - . _ ~ : @ + ="
      )
    case .secretEmpty: (.secretEmpty, "the secret has no bytes")
    case .sessionTokenMalformed:
      (.sessionTokenMalformed, "the session token is not 1 to 16384 visible ASCII characters")
    case .sessionTokenMismatch:
      (
        .sessionTokenMismatch,
        "the session token does not belong to the access key, or one of the two is absent"
      )
    case .credentialsExpired(let at, let now):
      (.credentialsExpired, "the credentials ended at \(at.amzDate), and it is \(now.amzDate)")
    case .signingKeyLength(let count):
      (.signingKeyLength, "a signing key has 32 bytes, and \(count) were given")
    case .signingKeyScope(let actual, let expected):
      (.signingKeyScope, "the signing key is for \(actual), and \(expected) is wanted")
    case .signingKeyUnavailable: (.signingKeyUnavailable, "no signing key could be derived of the secret")
    case .publicKeyInvalid: (.publicKeyInvalid, "the coordinates are no point of P-256")
    case .keyAlgorithm(let algorithm): (.keyAlgorithm, "the key cannot verify \(algorithm.name)")
    case .randomUnavailable: (.randomUnavailable, "the system has no random numbers to give")
    case .lifetime(let error): (.lifetime, "X-Amz-Expires: \(error)")
    case .expiresMalformed(let text):
      (.expiresMalformed, "X-Amz-Expires is \(text.quoted), which is no whole number of seconds")
    case .payloadHashLength(let count):
      (.payloadHashLength, "the SHA-256 of a body has 32 bytes, and \(count) were given")
    case .payloadHashMissing:
      (.payloadHashMissing, "there is no X-Amz-Content-Sha256, which is needed to verify before the body")
    case .payloadHashMalformed(let text):
      (
        .payloadHashMalformed,
        "X-Amz-Content-Sha256 is \(text.quoted), which is neither a SHA-256 nor a known mode"
      )
    case .payloadHashMismatch: (.payloadHashMismatch, "the body's hash is not the one that was signed")
    case .payloadModeAlgorithm(let mode, let algorithm):
      (.payloadModeAlgorithm, "the body is \(mode.name), and the request is signed with \(algorithm.name)")
    case .payloadNotAccepted(let value):
      (.payloadNotAccepted, "a body bound by \(value.name) is not accepted here")
    case .payloadNotBound:
      (.payloadNotBound, "the signature binds the body in another way than the call verifies")
    case .payloadNotPresignable:
      (.payloadNotPresignable, "a body that is streamed in signed chunks or events cannot be presigned")
    case .notStreamed: (.notStreamed, "the request was not signed for a body of this kind")
    case .chunkLayout(let text): (.chunkLayout, "a layout with \(text) cannot be")
    case .signatureMissing: (.signatureMissing, "there is no signature, in Authorization or in the query")
    case .signatureTwice:
      (.signatureTwice, "there is a signature in Authorization and parameters of another in the query")
    case .authorizationMalformed(let text): (.authorizationMalformed, "Authorization cannot be read: \(text)")
    case .algorithmUnknown(let text):
      (.algorithmUnknown, "the signature algorithm \(text.quoted) is not known")
    case .algorithmNotAccepted(let algorithm):
      (.algorithmNotAccepted, "signatures of \(algorithm.name) are not accepted here")
    case .placementNotAccepted(let value):
      (.placementNotAccepted, "a signature in the \(value.name) is not accepted here")
    case .parameterMissing(let text): (.parameterMissing, "\(text) is missing")
    case .parameterRepeated(let text): (.parameterRepeated, "\(text) is there more than once")
    case .parameterUnexpected(let text):
      (.parameterUnexpected, "the parameter \(text.quoted) does not belong there")
    case .signedHeadersMalformed(let text):
      (
        .signedHeadersMalformed,
        "SignedHeaders is \(text.quoted(upTo: 160)), not sorted, unique lower-case names"
      )
    case .signatureMalformed(let length):
      (
        .signatureMalformed,
        "the signature is not lower-case hexadecimal of its algorithm\'s length: \(length) characters"
      )
    case .signatureMismatch: (.signatureMismatch, "the signature does not hold for this request and this key")
    case .accessKeyUnknown(let text): (.accessKeyUnknown, "the access key \(text.quoted) is not known")
    case .wrongService(let actual, let expected):
      (.wrongService, "the signature is for the service \(actual.quoted), and this is \(expected.quoted)")
    case .wrongRegion(let actual, let expected):
      (.wrongRegion, "the signature is for the region \(actual.quoted), and this is \(expected.quoted)")
    case .requestExpired(let date, let now):
      (
        .requestExpired,
        "the request is of \(date.amzDate), and it is \(now.amzDate), \(now.seconds - date.seconds) s later"
      )
    case .requestFromFuture(let date, let now):
      (
        .requestFromFuture,
        "the request is of \(date.amzDate), \(date.seconds - now.seconds) s after now, \(now.amzDate)"
      )
    case .presignedExpired(let at, let now):
      (.presignedExpired, "the presigned URL expired at \(at.amzDate), and it is \(now.amzDate)")
    case .ambiguous(let value, let at):
      (.ambiguous, "the target could be read in two ways: \(value.name) at \(at)")
    case .replayed: (.replayed, "the request came before, or there is no room to remember it")
    case .decodedLengthMissing:
      (.decodedLengthMissing, "there is no X-Amz-Decoded-Content-Length, or it is no number")
    case .decodedLengthMismatch(let declared, let actual):
      (.decodedLengthMismatch, "a body of \(declared) bytes was declared, and there are \(actual)")
    case .chunkMalformed(let text): (.chunkMalformed, "the body is not in the coding aws-chunked: \(text)")
    case .chunkTooLarge(let size, let limit):
      (.chunkTooLarge, "\(size) bytes would be held before they are verified; \(limit) are allowed")
    case .chunkSignatureMismatch(let index):
      (.chunkSignatureMismatch, "the signature of chunk \(index) does not hold")
    case .dataAfterEnd: (.dataAfterEnd, "bytes follow behind the end of the body")
    case .bodyEndedEarly: (.bodyEndedEarly, "the body ended before its last chunk or event")
    case .trailerDeclaration:
      (.trailerDeclaration, "X-Amz-Trailer does not fit the way in which the body is sent")
    case .trailerUndeclared(let text): (.trailerUndeclared, "the trailer \(text.quoted) was not declared")
    case .trailerMissing(let text): (.trailerMissing, "the trailer \(text.quoted) is missing")
    case .trailerMalformed:
      (.trailerMalformed, "a trailer is malformed, repeated, or after the signature of the trailers")
    case .trailerSignatureMismatch:
      (.trailerSignatureMismatch, "the signature over the trailers does not hold")
    case .checksumMismatch(let text): (.checksumMismatch, "the checksum \(text.quoted) is not the body's")
    case .eventMalformed(let text): (.eventMalformed, "not a message of an event stream: \(text)")
    case .eventChecksum(let text): (.eventChecksum, "the checksum of an event's \(text) is wrong")
    case .eventSignatureMismatch: (.eventSignatureMismatch, "the signature of an event does not hold")
    case .eventAfterEnd: (.eventAfterEnd, "an event follows behind the one that ends the stream")
    case .policyMalformed(let text): (.policyMalformed, "the POST policy cannot be read: \(text)")
    case .policyExpired(let at, let now):
      (.policyExpired, "the POST policy expired at \(at), and it is \(now.amzDate)")
    case .policyCondition(let text): (.policyCondition, "the form does not meet the POST policy: \(text)")
    case .messageMalformed(let text): (.messageMalformed, "not an HTTP request: \(text)")
    case .library(let text): (.library, "libcrypto's \(text) failed")
    }
  }
}
