internal import TokenSecurityCrypto
public import TokenSecurityEncodings
public import TokenLifetime

/// Why a request was not signed or not accepted: one case for each rule, with what broke it.
///
/// They are for whoever operates the service. A caller is told ``response``, which is the same for all that would help in
/// guessing.
@nonexhaustive public enum SigV4Error: CodedError, Equatable {
  /// The method is no token of 1 to 32 characters (RFC 9110 section 9.1).
  case methodInvalid(String)
  /// The path does not begin with a slash.
  case pathNotAbsolute
  /// The path or the query has too many bytes.
  case targetTooLong(TargetPart, size: Int, limit: Int)
  /// A byte that no request target may have.
  case targetCharacter(TargetPart, UInt8, at: Int)
  /// A percent sign without two hexadecimal digits (RFC 3986 section 2.1).
  case percentEncoding(TargetPart, at: Int)
  /// There are too many headers.
  case tooManyHeaders(count: Int, limit: Int)
  /// Names and values of the headers have too many bytes together.
  case headersTooLarge(limit: Int)
  /// A header's name is no token (RFC 9110 section 5.1).
  case headerName(String)
  /// A header's value has a line break or another control character (RFC 9110 section 5.5).
  case headerValue(name: String, byte: UInt8)
  /// There is no header Host.
  case hostMissing
  /// Host differs from the request's authority (RFC 9112 section 3.2.2).
  case hostMismatch(host: String, authority: String)
  /// The request was signed for another host.
  case hostNotAccepted(String)
  /// A header of which there may be one is there twice.
  case headerRepeated(String)
  /// A header repeats what the query of a presigned URL says.
  case headerUnexpected(String)
  /// A header that must be signed is not.
  case headerUnsigned(String)
  /// A header that was signed is not there.
  case signedHeaderAbsent(String)
  /// There is no X-Amz-Date.
  case dateMissing
  /// A date that is not of the form 20150830T123600Z, from 1970 to 9999.
  case dateMalformed(String)
  /// A region or a service that cannot stand in a credential scope.
  case scopePart(String, String)
  /// A credential scope that does not end with aws4_request.
  case scopeTermination(String)
  /// The credential scope is of another day than the request.
  case scopeDateMismatch(scope: String, date: Timestamp)
  /// Credential does not have the parts of an access key's id and a scope.
  case credentialMalformed(String)
  /// A signer for SigV4A was given no region.
  case regionSetEmpty
  /// X-Amz-Region-Set is no list of regions.
  case regionSetMalformed(String)
  /// An access key's id that cannot stand in a credential: empty, longer than 128 bytes, or with a slash, a
  /// space or a comma.
  case accessKeyMalformed(String)
  /// The secret has no bytes.
  case secretEmpty
  /// A session token that is empty, larger than 16 KiB, or has other than visible ASCII characters.
  case sessionTokenMalformed
  /// The session token is not the one of the credentials, or one of the two is absent.
  case sessionTokenMismatch
  /// The credentials have ended.
  case credentialsExpired(at: Timestamp, now: Timestamp)
  /// A stored signing key is not of 32 bytes.
  case signingKeyLength(Int)
  /// A signing key is for another day, region or service.
  case signingKeyScope(actual: CredentialScope, expected: CredentialScope)
  /// No signing key could be derived.
  case signingKeyUnavailable
  /// Coordinates that are no point of P-256.
  case publicKeyInvalid
  /// A key that cannot verify this algorithm.
  case keyAlgorithm(SigningAlgorithm)
  /// The system has no random numbers to give.
  case randomUnavailable
  /// A presigned URL that would hold for too long, or not at all.
  case lifetime(LifetimeError)
  /// X-Amz-Expires is no whole number.
  case expiresMalformed(String)
  /// A hash of a body that is not of 32 bytes.
  case payloadHashLength(Int)
  /// There is no X-Amz-Content-Sha256 where one is needed.
  case payloadHashMissing
  /// X-Amz-Content-Sha256 is neither a hash nor a mode.
  case payloadHashMalformed(String)
  /// The body is not the one that was signed.
  case payloadHashMismatch
  /// A body signed by another algorithm than the request.
  case payloadModeAlgorithm(PayloadMode, SigningAlgorithm)
  /// The policy does not take a body that is bound like this.
  case payloadNotAccepted(PayloadBinding)
  /// The body was to be verified in a way that the request's signature does not provide for.
  case payloadNotBound
  /// A streamed body cannot be presigned.
  case payloadNotPresignable
  /// The request was not signed for a body in chunks or events.
  case notStreamed
  /// A layout of chunks that cannot be.
  case chunkLayout(String)
  /// There is no signature, in the header or in the query.
  case signatureMissing
  /// There is a signature in the header and one in the query.
  case signatureTwice
  /// Authorization cannot be read.
  case authorizationMalformed(String)
  /// A signature of a kind that is not known.
  case algorithmUnknown(String)
  /// The policy does not take this algorithm.
  case algorithmNotAccepted(SigningAlgorithm)
  /// The policy does not take a signature at this place.
  case placementNotAccepted(SignaturePlacement)
  /// A part of a signature is missing.
  case parameterMissing(String)
  /// A part of a signature is there twice.
  case parameterRepeated(String)
  /// A parameter that does not belong there: an unknown one in Authorization, or one of another signature
  /// in a query.
  case parameterUnexpected(String)
  /// SignedHeaders are not names in lower case, sorted, each once.
  case signedHeadersMalformed(String)
  /// A signature that is not of lower-case hexadecimal digits in the right number.
  case signatureMalformed(length: Int)
  /// The signature does not hold.
  case signatureMismatch
  /// Nobody has this access key.
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
  /// The path or the query could be read in two ways.
  case ambiguous(RequestAmbiguity, at: Int)
  /// The request came before, or there is no room to remember it.
  case replayed
  /// There is no X-Amz-Decoded-Content-Length, or it is no number.
  case decodedLengthMissing
  /// The body is longer or shorter than was declared.
  case decodedLengthMismatch(declared: Int, actual: Int)
  /// The coding aws-chunked is broken.
  case chunkMalformed(String)
  /// More would have to be held than is allowed.
  case chunkTooLarge(size: Int, limit: Int)
  /// A chunk's signature does not hold.
  case chunkSignatureMismatch(index: Int)
  /// Bytes follow behind the end of the body.
  case dataAfterEnd
  /// The body ended before its end was signed.
  case bodyEndedEarly
  /// X-Amz-Trailer does not fit the way in which the body is sent.
  case trailerDeclaration
  /// A trailer that was not declared.
  case trailerUndeclared(String)
  /// A trailer that was declared is missing.
  case trailerMissing(String)
  /// A trailer that cannot be read, is there twice, or stands behind the signature.
  case trailerMalformed
  /// The signature over the trailers does not hold.
  case trailerSignatureMismatch
  /// A checksum is not the body's.
  case checksumMismatch(String)
  /// A message of an event stream cannot be read or made.
  case eventMalformed(String)
  /// A checksum in a message of an event stream is wrong.
  case eventChecksum(String)
  /// An event's signature does not hold.
  case eventSignatureMismatch
  /// An event follows behind the one that ends the stream.
  case eventAfterEnd
  /// A POST policy cannot be read.
  case policyMalformed(String)
  /// A POST policy has expired.
  case policyExpired(at: String, now: Timestamp)
  /// A form field does not meet a condition of the POST policy, or none covers it.
  case policyCondition(String)
  /// Text that is no HTTP request.
  case messageMalformed(String)
  /// libcrypto failed where it cannot but for lack of memory.
  case library(String)

  /// A part of a request's target.
  public enum TargetPart: Sendable, Hashable, CustomStringConvertible {
    case path
    case query

    public var description: String {
      switch self {
      case .path: "path"
      case .query: "query"
      }
    }
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
