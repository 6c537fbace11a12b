internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Maximum number of requests and of bytes of responses that ``RepeatedRequests`` keeps.
public struct RepetitionLimits: Sendable {
  /// Maximum number of requests.
  public var entries = 100_000
  /// Maximum size of responses in bytes.
  public var bytes = 64 << 20
  /// How long other requests can have the signature of the first: one second of the same date, one for the
  /// network.
  public var sameSecond = Duration.seconds(2)

  /// Creates the usual limits.
  public init() {}
}

/// Distinguishes requests with the same signature.
public struct RequestOrigin: Sendable {
  /// The client's name of the request, `amz-sdk-invocation-id`, the same in its retries; nil where it sent none.
  public var invocation: String?
  /// The client's address.
  public var address: String

  /// Creates an origin.
  public init(invocation: String? = nil, address: String = "") {
    self.invocation = invocation
    self.address = address
  }

  /// The origin of a request from `address`, with the name in its header `amz-sdk-invocation-id`.
  public init(of head: RequestHead, address: String) {
    self.init(invocation: head["amz-sdk-invocation-id"], address: address)
  }
}

/// The digests that identify a request and its repetitions.
package struct RequestRepetition: Sendable {
  /// The key of the first request with a signature.
  package let first: [UInt8]
  /// The key of another request with that signature.
  package let other: [UInt8]
  package let invocation: [UInt8]
  package let address: [UInt8]
  /// How long the signature is valid.
  let validity: Duration

  /// The digests of a request. `signed` is the access key ID and what its signature covers.
  package init(_ signed: [UInt8], _ origin: RequestOrigin, validity: Duration) throws(SigV4Error) {
    first = try SigV4Error.hash(signed.span)
    invocation = try SigV4Error.hash((origin.invocation ?? "").utf8.span)
    let both = first + invocation
    other = try SigV4Error.hash(both.span)
    address = try SigV4Error.hash(origin.address.utf8.span)
    self.validity = validity
  }

  /// The key under which a request is kept: its own, where it has one; otherwise that of the first request with its
  /// signature, unless this is another request of the same second.
  ///
  /// - Parameters:
  ///   - hasOther: whether a request is kept under ``other``. That of a client's retry is, also when the first request
  ///     has failed since.
  ///   - kept: what is kept under ``first``, and the time since it began.
  ///   - sameSecond: how long other requests can have the signature of the first.
  /// - Returns: ``first`` or ``other``.
  package func key(
    hasOther: Bool, kept: (invocation: [UInt8], address: [UInt8], age: Duration)?, sameSecond: Duration
  ) -> [UInt8] {
    if hasOther { return other }
    guard let kept, kept.invocation != invocation, kept.address == address else { return first }
    // Clocks of several nodes differ.
    return kept.age < sameSecond && .zero - kept.age < sameSecond ? other : first
  }
}
