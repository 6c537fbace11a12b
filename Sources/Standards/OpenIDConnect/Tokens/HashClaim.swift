internal import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// `at_hash` and `c_hash`: the left half of a digest of the access token or code that came with an ID token.
/// The digest is the one in the name of the token's algorithm (OpenID Connect Core sections 3.1.3.6 and
/// 3.3.2.11).
enum HashClaim: String, Sendable {
  case accessToken = "at_hash"
  case code = "c_hash"

  /// The claim's value for `text`, or nil if none is defined for the algorithm.
  static func value(of text: String, _ algorithm: Algorithm) -> String? {
    guard let digest = algorithm.namedDigest, let hash = try? digest.hash(text.utf8.span) else { return nil }
    return Base64URL.string(Array(hash.prefix(digest.size / 2)))
  }

  /// The claim is the hash of `text`. It may be absent unless it is required.
  func check(of text: String, isRequired: Bool) -> TokenCheck {
    TokenCheck(
      rawValue,
      reference: self == .accessToken
        ? "OpenID Connect Core section 3.1.3.8" : "OpenID Connect Core section 3.3.2.10",
      expected: "the hash of the \(self == .accessToken ? "access token" : "code") that came with it"
        + (isRequired ? "" : ", if there is one"),
      actual: { claims, _ in claims.has(rawValue) ? "present" : "absent" },
      refusal: { claims, header, _ in
        guard let actual = claims[rawValue] else {
          return isRequired ? ClaimError.hashMissing(name: rawValue).refusal : nil
        }
        guard let algorithm = header.algorithm, let expected = Self.value(of: text, algorithm) else {
          return ClaimError.hashUndefined(name: rawValue, algorithm: header.algorithmName ?? "").refusal
        }
        guard let actual = actual.string, ConstantTime.areEqual(actual.utf8.span, expected.utf8.span) else {
          return ClaimError.hashMismatch(name: rawValue).refusal
        }
        return nil
      })
  }
}
