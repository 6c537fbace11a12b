/// The texts in which an error can be: the parts of a compact JWS (RFC 7515 section 3.1), and other forms.
public enum TokenPart: String, Sendable, Hashable {
  case header
  case payload
  case signature
  /// A JWS in a JSON serialisation.
  case serialization = "JWS"
  /// A JWK or a set of them.
  case keys = "key text"
}
