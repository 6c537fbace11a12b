/// Whether the signature covers a session token.
public enum SessionTokenPlacement: Sendable, Hashable {
  /// The signature covers it, as most services require.
  case signed
  /// It is added after signing, as the gateway of AWS IoT requires.
  case addedAfterSigning
}
