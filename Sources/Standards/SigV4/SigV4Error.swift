public import TokenLifetime
public import TokenSecurityBase
internal import TokenSecurityCrypto

/// Why a request was not signed or not accepted: one case for each rule, with the value that breaks it.
///
/// Errors are for the operator of the service. Callers get ``response``, which does not help an attacker to
/// guess.
@nonexhaustive public enum SigV4Error: CodedError, Equatable {
  /// The method is not a token of 1 to 32 characters (RFC 9110 section 9.1).
  case methodInvalid(String)
  /// The path does not begin with a slash.
  case pathNotAbsolute
  /// The path or the query is too long.
  case targetTooLong(TargetPart, size: Int, limit: Int)
  /// The path or the query has a byte that is not allowed there.
  case targetCharacter(TargetPart, UInt8, at: Int)
  /// A percent sign without two hexadecimal digits (RFC 3986 section 2.1).
  case percentEncoding(TargetPart, at: Int)
  /// The request has too many headers.
  case tooManyHeaders(count: Int, limit: Int)
  /// Names and values of the headers are too long together.
  case headersTooLarge(limit: Int)
  /// A header's name is not a token (RFC 9110 section 5.1).
  case headerName(String)
  /// A header's value has a control character (RFC 9110 section 5.5).
  case headerValue(name: String, byte: UInt8)
  /// The request has no `Host` header.
  case hostMissing
  /// `Host` differs from the request's authority (RFC 9112 section 3.2.2).
  case hostMismatch(host: String, authority: String)
  /// The policy does not accept the host.
  case hostNotAccepted(String)
  /// A header that may occur once occurs more than once.
  case headerRepeated(String)
  /// A header repeats a parameter of a presigned URL.
  case headerUnexpected(String)
  /// A header that must be signed is not signed.
  case headerUnsigned(String)
  /// A signed header is missing in the request.
  case signedHeaderAbsent(String)
  /// The request has no `X-Amz-Date`.
  case dateMissing
  /// A date does not have the form `20150830T123600Z`, from 1970 to 9999.
  case dateMalformed(String)
  /// A region or a service has characters that a credential scope may not have.
  case scopePart(String, String)
  /// The credential scope does not end with `aws4_request`.
  case scopeTermination(String)
  /// The credential scope has another day than the date of the signature.
  case scopeDateMismatch(scope: String, date: Timestamp)
  /// `Credential` does not consist of an access key ID and a scope.
  case credentialMalformed(String)
  /// A signer for SigV4A has no region.
  case regionSetEmpty
  /// `X-Amz-Region-Set` is not a list of regions.
  case regionSetMalformed(String)
  /// The access key ID is not 1 to 128 of the allowed characters.
  case accessKeyMalformed(String)
  /// The secret is empty.
  case secretEmpty
  /// The session token is empty, larger than 16 KiB, or not visible ASCII.
  case sessionTokenMalformed
  /// The session token is not the one of the credentials, or one of both is missing.
  case sessionTokenMismatch
  /// A session token was sent empty, and the key is not known to be a long-term one.
  case sessionTokenEmpty
  /// The credentials have expired.
  case credentialsExpired(at: Timestamp, now: Timestamp)
  /// A stored signing key does not have 32 bytes.
  case signingKeyLength(Int)
  /// A signing key is for another day, region or service.
  case signingKeyScope(actual: CredentialScope, expected: CredentialScope)
  /// No signing key could be derived.
  case signingKeyUnavailable
  /// The coordinates are not a point of P-256.
  case publicKeyInvalid
  /// The key cannot verify signatures of this algorithm.
  case keyAlgorithm(SigningAlgorithm)
  /// The system returned no random numbers.
  case randomUnavailable
  /// A presigned URL's lifetime is out of range.
  case lifetime(LifetimeError)
  /// `X-Amz-Expires` is not a whole number.
  case expiresMalformed(String)
  /// A body's hash does not have 32 bytes.
  case payloadHashLength(Int)
  /// `X-Amz-Content-Sha256` is required and missing.
  case payloadHashMissing
  /// `X-Amz-Content-Sha256` is neither a hash nor a mode.
  case payloadHashMalformed(String)
  /// The body's hash differs from the signed hash.
  case payloadHashMismatch
  /// The body and the request are signed with different algorithms.
  case payloadModeAlgorithm(PayloadMode, SigningAlgorithm)
  /// The policy does not accept this binding of a body.
  case payloadNotAccepted(PayloadBinding)
  /// The signature binds the body in another way than the called method verifies.
  case payloadNotBound
  /// A streamed body cannot be presigned.
  case payloadNotPresignable
  /// The request was not signed for a body of chunks or events.
  case notStreamed
  /// The layout of chunks is impossible.
  case chunkLayout(String)
  /// The request has no signature, neither in the header nor in the query.
  case signatureMissing
  /// The request has a signature in the header and one in the query.
  case signatureTwice
  /// `Authorization` is malformed.
  case authorizationMalformed(String)
  /// The request or form has a signature of AWS Signature Version 2.
  case signatureVersion2(in: String)
  /// The signature algorithm is unknown.
  case algorithmUnknown(String)
  /// The policy does not accept this algorithm.
  case algorithmNotAccepted(SigningAlgorithm)
  /// The policy does not accept a signature in this part of a request.
  case placementNotAccepted(SignaturePlacement)
  /// A part of a signature is missing.
  case parameterMissing(String)
  /// A part of a signature occurs more than once.
  case parameterRepeated(String)
  /// An unknown parameter in `Authorization`, or a parameter of another signature in a query.
  case parameterUnexpected(String)
  /// `SignedHeaders` is not a sorted list of unique lower-case names.
  case signedHeadersMalformed(String)
  /// The signature is not lower-case hexadecimal of its algorithm's length.
  case signatureMalformed(length: Int)
  /// The signature does not match the request and the key.
  case signatureMismatch
  /// The access key ID is unknown.
  case accessKeyUnknown(String)
  /// The signature is for another service.
  case wrongService(actual: String, expected: String)
  /// The signature is for another region.
  case wrongRegion(actual: String, expected: String)
  /// The request is too old.
  case requestExpired(date: Timestamp, now: Timestamp)
  /// The request is from the future.
  case requestFromFuture(date: Timestamp, now: Timestamp)
  /// The presigned URL has expired.
  case presignedExpired(at: Timestamp, now: Timestamp)
  /// Programs can read the path or the query in different ways.
  case ambiguous(RequestAmbiguity, at: Int)
  /// The request was accepted before, or the replay cache is full.
  case replayed
  /// `X-Amz-Decoded-Content-Length` is missing or not a number.
  case decodedLengthMissing
  /// The body is longer or shorter than declared.
  case decodedLengthMismatch(declared: Int, actual: Int)
  /// The body is not valid `aws-chunked`.
  case chunkMalformed(String)
  /// More bytes than allowed would have to be buffered before they are verified.
  case chunkTooLarge(size: Int, limit: Int)
  /// A chunk's signature does not match.
  case chunkSignatureMismatch(index: Int)
  /// Bytes follow the end of the body.
  case dataAfterEnd
  /// The body ended before its last chunk or event.
  case bodyEndedEarly
  /// `X-Amz-Trailer` does not match the payload mode, or declares several checksums.
  case trailerDeclaration
  /// A trailer was not declared.
  case trailerUndeclared(String)
  /// A declared trailer is missing.
  case trailerMissing(String)
  /// A trailer is malformed, repeated, or after the signature.
  case trailerMalformed
  /// The signature of the trailers does not match.
  case trailerSignatureMismatch
  /// A checksum does not match the body.
  case checksumMismatch(String)
  /// A checksum of xxHash is declared, and the package was built without its trait `XXHash`.
  case xxHashTraitMissing(String)
  /// A message of an event stream cannot be decoded or encoded.
  case eventMalformed(String)
  /// A checksum in a message of an event stream is wrong.
  case eventChecksum(String)
  /// An event's signature does not match.
  case eventSignatureMismatch
  /// An event follows the end of the stream.
  case eventAfterEnd
  /// A POST policy is malformed.
  case policyMalformed(String)
  /// A POST policy has expired.
  case policyExpired(at: String, now: Timestamp)
  /// A form field does not meet a condition of the POST policy, or no condition covers it.
  case policyCondition(String)
  /// A text is not an HTTP request, or not a response of AWS.
  case messageMalformed(String)
  /// A function of libcrypto failed.
  case library(String)

  /// A part of a request's target.
  public enum TargetPart: Sendable, Hashable, CustomStringConvertible {
    case path
    case query

    /// `path` or `query`.
    public var description: String { self == .path ? "path" : "query" }
  }
}

extension SigV4Error {
  init(_ error: CryptoError) {
    switch error {
    case .library(let name): self = .library(name)
    default: self = .signingKeyUnavailable
    }
  }

  static func hash(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    do { return try DigestAlgorithm.sha256.hash(bytes) } catch { throw SigV4Error(error) }
  }

  static func digest(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) -> InlineArray<32, UInt8> {
    do { return try DigestAlgorithm.sha256(of: bytes) } catch { throw SigV4Error(error) }
  }

  static func running(_ algorithm: DigestAlgorithm) throws(SigV4Error) -> RunningDigest {
    do { return try RunningDigest(algorithm) } catch { throw SigV4Error(error) }
  }
}
