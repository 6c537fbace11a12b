/// How keys are read: which members, and how strictly.
///
///     let set = try JWKSet(json: text, form: .publicOnly)
public struct KeyForm: Sendable, Hashable {
  /// Handling of secret members: `d`, `p`, `q`, `dp`, `dq`, `qi`, `oth` and `k`.
  public var privateMembers: PrivateMembers
  /// Handling of keys with a malformed but unambiguous encoding.
  public var writing: Writing
  /// Whether numbers may be in standard base64, as in the key set of Cognito's identity pools.
  package var acceptsStandardAlphabet = false

  /// Handling of secret members.
  public enum PrivateMembers: Sendable, Hashable {
    /// They are read. For the caller's keys.
    case read
    /// They are ignored, and `oct` keys are left out, with a warning. For published keys.
    case ignored
    /// A key that has one is refused before it is parsed.
    case refused
  }

  /// Handling of keys with a malformed but unambiguous encoding.
  public enum Writing: Sendable, Hashable {
    /// They are refused.
    case strict
    /// They are read with a warning: leading zero bytes of RSA numbers, padded base64url, null members, empty
    /// arrays (`x5c`, `key_ops`, `oth`), a numeric `kid`, an `x5t#S256` that does not match `x5c`, an `x5c` that is not a
    /// list of certificates in base64.
    case tolerant
  }

  /// A form.
  ///
  /// - Parameters:
  ///   - privateMembers: what happens to secret members.
  ///   - writing: what happens to malformed but unambiguous keys.
  public init(privateMembers: PrivateMembers, writing: Writing) {
    self.privateMembers = privateMembers
    self.writing = writing
  }

  /// Reads private members, and tolerates deviations with a warning.
  public static let standard = KeyForm(privateMembers: .read, writing: .tolerant)
  /// Reads private members, and refuses deviations from RFC 7517 and RFC 7518 section 6.
  public static let strict = KeyForm(privateMembers: .read, writing: .strict)
  /// For published key sets: ignores private members and leaves out `oct` keys.
  public static let publicOnly = KeyForm(privateMembers: .ignored, writing: .tolerant)
  /// Refuses private members. For a key that must be public, as in a DPoP proof (RFC 9449 section 4.3).
  public static let publicRequired = KeyForm(privateMembers: .refused, writing: .strict)

  /// Like ``publicOnly``, with numbers in either base64 alphabet, padded or not, without a warning.
  package static let loose: KeyForm = {
    var form = publicOnly
    form.acceptsStandardAlphabet = true
    return form
  }()
}
