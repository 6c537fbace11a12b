public import TokenSecurityEncodings

/// A request whose signature held. Only a ``RequestVerifier`` makes one.
///
/// Its type says how its body is bound: a handler that takes `VerifiedRequest<HashBinding>`, or any
/// `VerifiedRequest<some BoundBody>`, cannot be handed a request whose body nobody checked.
public struct VerifiedRequest<Binding: BodyBinding>: Sendable {
  private let request: UnverifiedRequest
  /// How its body is bound.
  public let binding: Binding

  init(_ pending: PendingRequest, _ binding: Binding) {
    request = pending.request
    self.binding = binding
  }

  /// The request as it came.
  public var head: RequestHead { request.head }

  /// What its signature says of itself; all of it holds, but for a session token that is added after signing.
  public var parameters: SignatureParameters { request.parameters }

  /// Who signed.
  public var accessKeyID: String { parameters.accessKeyID }

  /// The session token. It is the credentials' own; where a key was given instead, whoever looked it up must have
  /// checked that it belongs to it.
  public var sessionToken: String? { parameters.sessionToken }
}

/// How a verified request's body is bound to its signature, or that it is not.
public protocol BodyBinding: Sendable {}

/// A binding that was checked over the whole body.
public protocol BoundBody: BodyBinding {}

/// The hash of the body is signed, and is the body's.
public struct HashBinding: BoundBody {
  /// The body's SHA-256.
  public let sha256: [UInt8]

  init(sha256: [UInt8]) { self.sha256 = sha256 }
}

/// A body that came in pieces, all of which were checked.
public struct StreamBinding: BoundBody {
  /// How it was checked.
  public enum Means: Sendable, Hashable {
    /// By its hash, which is signed.
    case hash([UInt8])
    /// By a signature for each chunk; so many had data.
    case chunks(Int)
    /// By a checksum in a trailer, which nobody signed: against accidents, and under TLS.
    case unsignedChecksum(ChecksumAlgorithm)
  }

  /// How it was checked.
  public let means: Means
  /// The trailers behind the body, by their names in lower case.
  public let trailers: [ExactString: String]

  init(means: Means, trailers: [ExactString: String]) {
    self.means = means
    self.trailers = trailers
  }
}

/// A body of events, each of which an ``EventVerifier`` checks as it comes.
public struct EventBinding: BodyBinding {
  init() {}
}

/// A body that nobody checked, by the caller's own choice.
public struct NoBinding: BodyBinding {
  /// Why.
  public let reason: String

  init(reason: String) { self.reason = reason }
}
