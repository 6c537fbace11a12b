internal import TokenSecurityEncodings

extension SigV4Error: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it. Foreign text in it is bounded and escaped; no secret
  /// and no signature is ever in it.
  public var description: String {
    switch self {
    case .methodInvalid(let text):
      "the method \(text.quoted) is no token of 1 to 32 characters (RFC 9110 section 9.1)"
    case .pathNotAbsolute: "the path does not begin with a slash"
    case .targetTooLong(let part, let size, let limit):
      "the \(part) has \(size) bytes, and \(limit) are allowed"
    case .targetCharacter(let part, let byte, let at):
      "the \(part) has the byte 0x\(Hex.string([byte])) at \(at), which no request target may have"
    case .percentEncoding(let part, let at):
      "the \(part) has a percent sign at \(at) without two hexadecimal digits behind it (RFC 3986 section 2.1)"
    case .tooManyHeaders(let count, let limit): "there are \(count) headers, and \(limit) are allowed"
    case .headersTooLarge(let limit): "names and values of the headers have more than \(limit) bytes together"
    case .headerName(let text): "the header name \(text.quoted) is no token (RFC 9110 section 5.1)"
    case .headerValue(let name, let byte):
      "the header \(name.quoted) has the control character 0x\(Hex.string([byte])) in its value (RFC 9110 section 5.5)"
    case .hostMissing: "there is no header Host, which every signature covers"
    case .hostMismatch(let host, let authority):
      "Host is \(host.quoted), and the request is for \(authority.quoted)"
    case .hostNotAccepted(let text):
      "the request was signed for the host \(text.quoted), which is none of this service"
    case .headerRepeated(let text): "the header \(text.quoted) is there more than once"
    case .headerUnexpected(let text):
      "the header \(text.quoted) repeats what the query of a presigned URL says"
    case .headerUnsigned(let text): "the header \(text.quoted) must be signed and is not"
    case .signedHeaderAbsent(let text): "the header \(text.quoted) was signed and is not there"
    case .dateMissing: "there is no X-Amz-Date"
    case .dateMalformed(let text):
      "the date \(text.quoted) is not of the form 20150830T123600Z, from 1970 to 9999"
    case .scopePart(let part, let text):
      "the \(part) \(text.quoted) cannot stand in a credential scope: it has 1 to 64 letters, digits, or - . _ :"
    case .scopeTermination(let text): "the credential scope ends with \(text.quoted) instead of aws4_request"
    case .scopeDateMismatch(let scope, let date):
      "the credential scope is of the day \(scope.quoted), and the request of \(date)"
    case .credentialMalformed(let text):
      "Credential is \(text.quoted(upTo: 160)), which is not ID/DAY/REGION/SERVICE/aws4_request (without the region for AWS4-ECDSA-P256-SHA256)"
    case .regionSetEmpty: "a signature of AWS4-ECDSA-P256-SHA256 needs at least one region"
    case .regionSetMalformed(let text): "X-Amz-Region-Set is \(text.quoted), which is no list of regions"
    case .accessKeyMalformed(let text):
      "the access key id \(text.quoted) cannot stand in a credential: it has 1 to 128 letters, digits, or - . _ ~ : @ + ="
    case .secretEmpty: "the secret has no bytes"
    case .sessionTokenMalformed:
      "the session token is empty, has more than 16384 bytes, or has other than visible characters of ASCII"
    case .sessionTokenMismatch:
      "the session token is not the one that belongs to the access key, or one of the two is absent"
    case .credentialsExpired(let at, let now): "the credentials ended at \(at), and it is \(now)"
    case .signingKeyLength(let count): "a signing key has 32 bytes, and \(count) were given"
    case .signingKeyScope(let found, let wanted): "the signing key is for \(found), and \(wanted) is wanted"
    case .signingKeyUnavailable: "no signing key could be derived of the secret"
    case .publicKeyInvalid: "the coordinates are no point of P-256"
    case .keyAlgorithm(let algorithm): "the key cannot verify \(algorithm.name)"
    case .randomUnavailable: "the system has no random numbers to give"
    case .lifetime(let error): "X-Amz-Expires: \(error)"
    case .expiresMalformed(let text): "X-Amz-Expires is \(text.quoted), which is no whole number of seconds"
    case .payloadHashLength(let count): "the SHA-256 of a body has 32 bytes, and \(count) were given"
    case .payloadHashMissing:
      "there is no X-Amz-Content-Sha256, without which the signature cannot be checked before the body is there"
    case .payloadHashMalformed(let text):
      "X-Amz-Content-Sha256 is \(text.quoted), which is neither 64 lower-case hexadecimal digits nor a mode that is known"
    case .payloadHashMismatch: "the body's hash is not the one that was signed"
    case .payloadModeAlgorithm(let mode, let algorithm):
      "the body is \(mode.name), and the request is signed with \(algorithm.name)"
    case .payloadNotAccepted(let value): "a body bound by \(value.name) is not accepted here"
    case .payloadNotBound:
      "the request's signature binds its body in another way than it was to be verified in"
    case .payloadNotPresignable: "a body that is streamed in signed chunks or events cannot be presigned"
    case .notStreamed: "the request was not signed for a body of this kind"
    case .chunkLayout(let text): "a layout with \(text) cannot be"
    case .signatureMissing: "there is no signature, in Authorization or in the query"
    case .signatureTwice: "there is a signature in Authorization and parameters of another in the query"
    case .authorizationMalformed(let text): "Authorization cannot be read: \(text)"
    case .algorithmUnknown(let text): "the signature algorithm \(text.quoted) is not known"
    case .algorithmNotAccepted(let algorithm): "signatures of \(algorithm.name) are not accepted here"
    case .placementNotAccepted(let value): "a signature in the \(value.name) is not accepted here"
    case .parameterMissing(let text): "\(text) is missing"
    case .parameterRepeated(let text): "\(text) is there more than once"
    case .parameterUnexpected(let text): "the parameter \(text.quoted) does not belong there"
    case .signedHeadersMalformed(let text):
      "SignedHeaders is \(text.quoted(upTo: 160)), which is not names in lower case, sorted, each once"
    case .signatureMalformed(let length):
      "the signature has \(length) characters, which are not lower-case hexadecimal digits in the number that its algorithm has"
    case .signatureMismatch: "the signature does not hold for this request and this key"
    case .accessKeyUnknown(let text): "the access key \(text.quoted) is not known"
    case .wrongService(let found, let wanted):
      "the signature is for the service \(found.quoted), and this is \(wanted.quoted)"
    case .wrongRegion(let found, let wanted):
      "the signature is for the region \(found.quoted), and this is \(wanted.quoted)"
    case .requestExpired(let date, let now):
      "the request is of \(date), and it is \(now), \(now.seconds - date.seconds) s later"
    case .requestFromFuture(let date, let now):
      "the request is of \(date), and it is \(now), \(date.seconds - now.seconds) s earlier"
    case .presignedExpired(let at, let now): "the presigned URL expired at \(at), and it is \(now)"
    case .ambiguous(let value, let at): "the target could be read in two ways: \(value.name) at \(at)"
    case .replayed: "the request came before, or there is no room to remember it"
    case .decodedLengthMissing: "there is no X-Amz-Decoded-Content-Length, or it is no number"
    case .decodedLengthMismatch(let declared, let found):
      "a body of \(declared) bytes was declared, and there are \(found)"
    case .chunkMalformed(let text): "the body is not in the coding aws-chunked: \(text)"
    case .chunkTooLarge(let size, let limit):
      "\(size) bytes would have to be held before they are verified, and \(limit) are allowed"
    case .chunkSignatureMismatch(let index): "the signature of chunk \(index) does not hold"
    case .dataAfterEnd: "bytes follow behind the end of the body"
    case .bodyEndedEarly: "the body ended before its last chunk or event"
    case .trailerDeclaration: "X-Amz-Trailer does not fit the way in which the body is sent"
    case .trailerUndeclared(let text): "the trailer \(text.quoted) was not declared"
    case .trailerMissing(let text): "the trailer \(text.quoted) is missing"
    case .trailerMalformed:
      "a trailer cannot be read, is there twice, or stands behind the signature of the trailers"
    case .trailerSignatureMismatch: "the signature over the trailers does not hold"
    case .checksumMismatch(let text): "the checksum \(text.quoted) is not the body's"
    case .eventMalformed(let text): "not a message of an event stream: \(text)"
    case .eventChecksum(let text): "the checksum of an event's \(text) is wrong"
    case .eventSignatureMismatch: "the signature of an event does not hold"
    case .eventAfterEnd: "an event follows behind the one that ends the stream"
    case .policyMalformed(let text): "the POST policy cannot be read: \(text)"
    case .policyExpired(let at, let now): "the POST policy expired at \(at), and it is \(now)"
    case .policyCondition(let text): "the form does not meet the POST policy: \(text)"
    case .messageMalformed(let text): "not an HTTP request: \(text)"
    case .library(let text): "libcrypto's \(text) failed"
    }
  }
}
