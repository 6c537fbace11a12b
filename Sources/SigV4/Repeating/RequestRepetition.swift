internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The most requests and bytes of responses that ``RepeatedRequests`` keeps, and for how long.
public struct RepetitionLimits: Sendable {
  /// The most requests.
  public var entries = 100_000
  /// The most bytes of responses.
  public var bytes = 64 << 20
  /// How long a response is kept: the time during which a signature is valid, which may be dated 15 minutes
  /// ahead and is valid for 15 minutes. Longer for presigned URLs that change something.
  public var life = Duration.seconds(1_800)
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

  package init(first: [UInt8], other: [UInt8], invocation: [UInt8], address: [UInt8]) {
    self.first = first
    self.other = other
    self.invocation = invocation
    self.address = address
  }

  /// The digests of a request. `signed` is the access key ID and what its signature covers.
  package init(_ signed: [UInt8], _ origin: RequestOrigin) throws(SigV4Error) {
    let first = try SigV4Error.hash(signed.span)
    let invocation = try SigV4Error.hash((origin.invocation ?? "").utf8.span)
    let other = first + invocation
    self.init(
      first: first, other: try SigV4Error.hash(other.span), invocation: invocation,
      address: try SigV4Error.hash(origin.address.utf8.span))
  }
}
