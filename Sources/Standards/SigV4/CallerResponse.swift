internal import TokenSecurityBase

extension SigV4Error {
  /// A response that gives the caller no new information: no canonical request, and the same response for an
  /// unknown access key and a wrong signature.
  public struct Response: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// An error code of AWS, `AccessDenied` for example.
    public let code: String
    /// One sentence.
    public let message: String
  }

  /// The response to the caller of a request that failed with this error.
  public var response: Response {
    switch self {
    case .methodInvalid, .pathNotAbsolute, .targetCharacter, .percentEncoding, .headerName, .headerValue,
      .hostMissing, .hostMismatch, .headerRepeated, .headerUnexpected, .headerUnsigned,
      .signedHeaderAbsent, .dateMissing, .dateMalformed, .scopePart, .scopeTermination, .scopeDateMismatch,
      .credentialMalformed, .regionSetEmpty, .regionSetMalformed, .accessKeyMalformed, .secretEmpty,
      .sessionTokenMalformed, .lifetime, .expiresMalformed, .payloadHashMissing, .payloadHashMalformed,
      .payloadModeAlgorithm, .payloadNotPresignable, .signatureMissing, .signatureTwice,
      .signatureVersion2,
      .authorizationMalformed, .algorithmUnknown, .parameterMissing, .parameterRepeated,
      .parameterUnexpected, .signedHeadersMalformed, .signatureMalformed, .ambiguous,
      .decodedLengthMissing, .chunkMalformed, .dataAfterEnd, .trailerDeclaration,
      .trailerUndeclared, .trailerMissing, .trailerMalformed, .eventMalformed,
      .eventChecksum,
      .eventAfterEnd, .policyMalformed, .messageMalformed:
      Response(
        status: 400, code: "IncompleteSignature",
        message: "The request or its signature is malformed.")
    case .targetTooLong, .tooManyHeaders, .headersTooLarge, .chunkTooLarge:
      Response(
        status: 413, code: "RequestTooLarge",
        message: "The request is larger than this service accepts.")
    case .hostNotAccepted, .payloadNotAccepted, .algorithmNotAccepted, .placementNotAccepted,
      .wrongService, .wrongRegion, .policyCondition:
      Response(
        status: 403, code: "AccessDenied",
        message: "The signature is not for this service, or of a kind that it does not accept.")
    // This is found after the signature matched: a caller without the secret does not learn of it.
    case .replayed:
      Response(
        status: 403, code: "AccessDenied",
        message: "The signature was used before. Sign each request anew.")
    case .credentialsExpired:
      Response(
        status: 403, code: "ExpiredToken",
        message: "The credentials have expired.")
    case .signingKeyLength, .signingKeyScope, .signingKeyUnavailable, .publicKeyInvalid, .keyAlgorithm,
      .randomUnavailable, .payloadHashLength, .payloadNotBound, .notStreamed, .chunkLayout, .library:
      Response(
        status: 500, code: "InternalFailure",
        message: "The request could not be verified.")
    case .payloadHashMismatch, .signatureMismatch, .sessionTokenMismatch, .sessionTokenEmpty,
      .accessKeyUnknown, .chunkSignatureMismatch, .trailerSignatureMismatch, .eventSignatureMismatch:
      Response(
        status: 403, code: "SignatureDoesNotMatch",
        message:
          "The signature does not match. Check the access key, the secret, and how the request is signed.")
    // Those of the body are found after the signature matched.
    case .checksumMismatch:
      Response(
        status: 400, code: "BadDigest",
        message: "A checksum in the request is not that of the body that arrived.")
    case .decodedLengthMismatch, .bodyEndedEarly:
      Response(
        status: 400, code: "IncompleteBody",
        message: "The body does not have the length that the request declares.")
    case .xxHashTraitMissing:
      Response(
        status: 501, code: "NotImplemented",
        message: "The service does not compute the checksum that the request declares.")
    case .requestExpired, .requestFromFuture, .presignedExpired, .policyExpired:
      Response(
        status: 403, code: "RequestExpired",
        message: "The request is too old, expired, or from the future.")
    }
  }
}
