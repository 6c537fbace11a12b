internal import TokenLifetime
public import TokenSecurityBase

/// The requirements of a service for its requests.
///
///     let policy = VerifierPolicy(
///       service: "execute-api", region: "eu-west-1", hosts: .oneOf(["api.example"]))
public struct VerifierPolicy: Sendable, Hashable {
  /// The required service of the scope.
  public var service: String
  /// The required region of the scope, or a region that the region set must include.
  public var region: String
  /// The accepted hosts.
  public var hosts: HostRule
  /// The accepted algorithms. Default: SigV4 only.
  public var algorithms: Set<SigningAlgorithm> = [.hmacSHA256]
  /// The accepted placements of a signature. Default: headers only, because a presigned URL is a bearer token.
  public var placements: Set<SignaturePlacement> = [.header]
  /// The largest difference between a signature's date and the current time. A fraction of a second is
  /// dropped. Default: 15 minutes.
  public var skew = Duration.seconds(900)
  /// The longest lifetime of a presigned URL. Default: 7 days.
  public var longestExpiry = LifetimeRule.presignedURL.longest
  /// The accepted bindings of a body.
  public var payloads: Set<PayloadBinding> = [.hash, .signedChunks, .signedEvents]
  /// Whether the signature must cover a session token.
  public var sessionToken: SessionTokenPlacement = .signed
  /// The form of the canonical path.
  public var form: CanonicalForm
  /// Accepted ambiguities of the request target. Default: none.
  public var acceptedAmbiguities: Set<RequestAmbiguity> = []
  /// How `+` in a query is read. Default: as a plus, and only if ``acceptedAmbiguities`` has
  /// ``RequestAmbiguity/plusInQuery``.
  public var plusInQuery = PlusReading.plus
  /// Headers that may be unsigned, although they must be signed by default. Default: none.
  public var acceptedUnsignedHeaders: Set<UnsignedHeader> = []
  /// Limits of a request's head.
  public var limits = RequestLimits()

  /// The hosts of a service.
  public enum HostRule: Sendable, Hashable {
    /// The header `Host` must be one of these, in lower case, with the port if one is sent.
    case oneOf(Set<ExactString>)
    /// Any host; with the reason why that is safe.
    case unchecked(because: String)

    /// The header `Host` must be one of these, in lower case, with the port if one is sent.
    public static func oneOf(_ hosts: some Sequence<String>) -> HostRule {
      .oneOf(Set(hosts.map { ExactString($0) }))
    }
  }

  /// The reading of `+` in a query. A request is verified with one of them only: with both, one signature
  /// would be valid for two meanings.
  public enum PlusReading: ExactString, Sendable, Hashable, CaseIterable {
    /// A plus, signed as `%2B` (RFC 3986).
    case plus
    /// A space, signed as `%20`, as in HTML forms: what Rust's object_store, requests-aws4auth and AWS's own
    /// aws-sdk-signers send. The service must read its parameters so, too. No ambiguity has to be accepted
    /// for it; in the parameters of a presigned URL's signature `+` stays refused.
    case space
  }

  /// A header that some clients send and do not sign.
  ///
  /// The list is closed: every other header that must be signed (`Host` and `X-Amz-…`) decides what a request
  /// means, and no policy accepts it unsigned.
  public enum UnsignedHeader: ExactString, Sendable, Hashable, CaseIterable {
    /// `Content-Type`, which Amazon's SDKs for PHP and for JavaScript (version 2), minio-go in streamed
    /// uploads, and browsers with a presigned URL do not sign. Anyone between client and service can change
    /// it: accept it when the service reads one type only, or when a wrong type is harmless.
    case contentType = "content-type"
    /// `X-Amz-User-Agent`, which Amazon's SDK for PHP does not sign. It only names the client.
    case userAgent = "x-amz-user-agent"
  }

  /// A policy without the names of the service's hosts. The compiler refuses it: a request for another host must not pass.
  @available(
    *, unavailable,
    message: "write VerifierPolicy(service:region:hosts: .oneOf([\"api.example.com\"]))"
  )
  public init(service: String, region: String) {
    self.init(service: service, region: region, hosts: .oneOf([String]()))
  }

  /// Creates a policy for one service in one region.
  ///
  /// - Parameters:
  ///   - service: the required service of the scope.
  ///   - region: the required region of the scope.
  ///   - hosts: the accepted hosts.
  ///   - form: the form of the canonical path. Default: the form of the service.
  public init(service: String, region: String, hosts: HostRule, form: CanonicalForm? = nil) {
    self.service = service
    self.region = region
    self.hosts = hosts
    self.form = form ?? .of(service: service)
  }
}
