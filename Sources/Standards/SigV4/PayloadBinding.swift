public import TokenSecurityBase

/// How a signature binds a body.
public enum PayloadBinding: ExactString, Sendable, Hashable, CaseIterable {
  /// The signature covers the hash of the body.
  case hash
  /// Every chunk has a signature.
  case signedChunks
  /// Every event has a signature.
  case signedEvents
  /// A checksum without a signature, which an attacker can change together with the body. Only over TLS.
  case unsignedChecksum
  /// The signature does not bind the body. Only over TLS.
  case nothing
}
