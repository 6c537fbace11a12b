/// Whether a session token is covered by the signature.
public enum SessionTokenPlacement: Sendable, Hashable {
  /// It is: what services want unless they say otherwise.
  case signed
  /// It is added after signing: AWS IoT's gateway wants that.
  case addedAfterSigning
}
