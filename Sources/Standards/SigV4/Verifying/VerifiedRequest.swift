public import TokenSecurityBase

/// A request with a verified signature. Only a ``RequestVerifier`` creates one.
///
/// Its type says how its body is bound: a handler that takes `VerifiedRequest<HashBinding>`, or any
/// `VerifiedRequest<some BoundBody>`, cannot get a request with an unchecked body.
public struct VerifiedRequest<Binding: BodyBinding>: Sendable {
  private let pending: PendingRequest
  /// The string to sign.
  let text: [UInt8]
  /// The bytes that distinguish the body from others with the same string to sign: empty where that has the body's
  /// hash, and nil where no signature covers the body.
  private let body: [UInt8]?
  /// How the signature binds the body.
  public let binding: Binding

  init(_ pending: PendingRequest, signing text: [UInt8], body: [UInt8]?, _ binding: Binding) {
    self.pending = pending
    self.text = text
    self.body = body
    self.binding = binding
  }

  /// The access key ID and what the signatures cover, the whole body included; nil where they do not cover it.
  var signed: [UInt8]? { body.map { pending.identity(signing: text) + $0 } }

  /// How long the signature stays valid after it was checked: to the end of its last second.
  var validity: Duration { pending.end - pending.now + .seconds(1) }

  /// The request as it was received.
  public var head: RequestHead { pending.head }

  /// The verified parameters of the signature. It does not cover a session token that is added after signing.
  public var parameters: SignatureParameters { pending.parameters }

  /// The access key ID of the signer.
  public var accessKeyID: String { parameters.accessKeyID }

  /// The session token. For ``VerificationKey/credentials(_:)`` it is the token of these; for other keys, the
  /// caller must have checked that it belongs to the key.
  public var sessionToken: String? { parameters.sessionToken }
}

/// How a signature binds the body of a verified request, or that it does not.
public protocol BodyBinding: Sendable {}

/// A binding of the whole body that was verified.
public protocol BoundBody: BodyBinding {}

/// The signature covers the hash of the body, which was verified.
public struct HashBinding: BoundBody {
  /// The body's SHA-256.
  public let sha256: [UInt8]

  init(sha256: [UInt8]) { self.sha256 = sha256 }
}

/// A body that arrived in pieces and was verified as a whole.
public struct StreamBinding: BoundBody {
  /// How the body was verified.
  public enum Means: Sendable, Hashable {
    /// By its signed hash.
    case hash([UInt8])
    /// By a signature of each chunk; with the number of chunks that have data.
    case chunks(Int)
    /// By a checksum in a signed header, without a hash. SHA256 and SHA512 bind the body; the others protect
    /// against accidents, and only over TLS.
    case signedChecksum(ChecksumAlgorithm)
    /// By an unsigned checksum in a trailer: against accidents, and only over TLS.
    case unsignedChecksum(ChecksumAlgorithm)
  }

  /// How the body was verified.
  public let means: Means
  /// The trailers after the body by their lower-case names.
  public let trailers: [ExactString: String]

  init(means: Means, trailers: [ExactString: String]) {
    self.means = means
    self.trailers = trailers
  }
}

/// A body of events, which an ``EventVerifier`` verifies one by one.
public struct EventBinding: BodyBinding {
  init() {}
}

/// A body that the caller chose not to verify.
public struct NoBinding: BodyBinding {
  /// The caller's reason.
  public let reason: String
  /// The hash of the body that the signature covers, which the caller can compare, or a mode.
  public let declared: UnverifiedRequest.DeclaredPayload

  init(reason: String, _ declared: UnverifiedRequest.DeclaredPayload) {
    self.reason = reason
    self.declared = declared
  }
}
