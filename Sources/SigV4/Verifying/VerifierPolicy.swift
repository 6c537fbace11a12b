public import TokenSecurityEncodings
internal import TokenLifetime

/// What a service demands of the requests that reach it. It is a value: it can be printed and compared.
///
///     let policy = VerifierPolicy(service: "execute-api", region: "eu-west-1", hosts: .oneOf(["api.example"]))
public struct VerifierPolicy: Sendable, Hashable {
  /// The service that a scope must name.
  public var service: String
  /// The region that a scope must name, or that a region set must reach.
  public var region: String
  /// Which hosts a request may be for.
  public var hosts: HostRule
  /// Which signatures are taken. SigV4 alone, unless said otherwise.
  public var algorithms: Set<SigningAlgorithm> = [.hmacSHA256]
  /// Where a signature may stand. In headers alone, unless said otherwise: a presigned URL is a bearer token.
  public var placements: Set<SignaturePlacement> = [.header]
  /// How far a signature's date may be off, either way; a fraction of a second is dropped. Default: 15 minutes.
  public var skew = Duration.seconds(900)
  /// How long a presigned URL may be valid at most. Default: 7 days.
  public var longestExpiry = LifetimeRule.presignedURL.longest
  /// Which ways of binding a body are taken.
  public var payloads: Set<PayloadBinding> = [.hash, .signedChunks, .signedEvents]
  /// Whether a session token must be covered by the signature.
  public var sessionToken: SessionTokenPlacement = .signed
  /// The form of the canonical path.
  public var form: CanonicalForm
  /// What could be read in two ways and is let through all the same. Nothing, unless said otherwise.
  public var acceptedAmbiguities: Set<RequestAmbiguity> = []
  /// Headers that may be present without being signed, although they have to be signed by default. Default: none.
  public var acceptedUnsignedHeaders: Set<UnsignedHeader> = []
  /// How large a request's head may be.
  public var limits = RequestLimits()

  /// The hosts of a service.
  public enum HostRule: Sendable, Hashable {
    /// The header `Host` must be one of these, in lower case, with the port where one is sent.
    case oneOf(Set<ExactString>)
    /// Whatever host the request was signed for; with the reason why that is safe here.
    case unchecked(because: String)

    /// The header `Host` must be one of these, in lower case, with the port where one is sent.
    public static func oneOf(_ hosts: some Sequence<String>) -> HostRule {
      .oneOf(Set(hosts.map { ExactString($0) }))
    }
  }

  /// A header that some clients send and do not sign.
  ///
  /// The list is closed: every other header that must be signed decides what a request means (`Host`, and `X-Amz-…`
  /// from `X-Amz-Target` to `X-Amz-Content-Sha256`), and no policy lets it be unsigned.
  public enum UnsignedHeader: ExactString, Sendable, Hashable, CaseIterable {
    /// `Content-Type`, which Amazon's SDKs for PHP and for JavaScript (version 2), minio-go in streamed uploads, and
    /// browsers with a presigned URL do not sign. Anyone between client and service can change it: accept it where the
    /// service reads one type only, or where a wrong type is harmless.
    case contentType = "content-type"
    /// `X-Amz-User-Agent`, which Amazon's SDK for PHP does not sign. It names the client and decides nothing.
    case userAgent = "x-amz-user-agent"
  }

  /// A policy for one service in one region.
  public init(service: String, region: String, hosts: HostRule, form: CanonicalForm? = nil) {
    self.service = service
    self.region = region
    self.hosts = hosts
    self.form = form ?? .of(service: service)
  }
}
