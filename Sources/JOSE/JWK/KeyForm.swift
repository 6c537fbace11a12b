/// How the JSON text of keys is read: which members, and how strictly.
///
///     let set = try JWKSet(json: text, form: .publicOnly)
public struct KeyForm: Sendable, Hashable {
  /// What happens to the members of a key that hold a secret: `d`, `p`, `q`, `dp`, `dq`, `qi`, `oth` and `k`.
  public var privateMembers: PrivateMembers
  /// What happens to keys that break a rule of writing and have one meaning nevertheless.
  public var writing: Writing
  /// Whether numbers may be in standard base64, as the key set of Cognito's identity pools has them.
  package var acceptsStandardAlphabet = false

  /// What happens to the members of a key that hold a secret.
  public enum PrivateMembers: Sendable, Hashable {
    /// They are read: for keys of one's own.
    case read
    /// They are not read, and `oct` keys are left out: for keys that someone else publishes. Each such key has a
    /// warning.
    case ignored
    /// A key that has one is refused by the member's name, before anything is computed.
    case refused
  }

  /// What happens to keys that break a rule of writing and have one meaning nevertheless.
  public enum Writing: Sendable, Hashable {
    /// They are refused.
    case strict
    /// They are read with a warning: zero bytes in front of RSA numbers, padded base64url, members that are null, empty
    /// arrays (`x5c`, `key_ops`, `oth`), a numeric `kid`, an `x5t#S256` that does not fit `x5c`.
    case tolerant
  }

  /// A form of these parts.
  public init(privateMembers: PrivateMembers, writing: Writing) {
    self.privateMembers = privateMembers
    self.writing = writing
  }

  /// Private members are read, and careless writing gets a warning.
  public static let standard = KeyForm(privateMembers: .read, writing: .tolerant)
  /// Private members are read, and everything is written as the standards say (RFC 7517, RFC 7518 section 6).
  public static let strict = KeyForm(privateMembers: .read, writing: .strict)
  /// For key sets that someone else publishes: private members are not read, and `oct` keys are left out.
  public static let publicOnly = KeyForm(privateMembers: .ignored, writing: .tolerant)
  /// For one key that its sender must send without its private half, as in a DPoP proof (RFC 9449 section 4.3).
  public static let publicRequired = KeyForm(privateMembers: .refused, writing: .strict)

  /// As ``publicOnly``, with numbers in either alphabet of base64, padded or not, without a warning.
  package static let loose: KeyForm = {
    var form = publicOnly
    form.acceptsStandardAlphabet = true
    return form
  }()
}
