internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import JOSE

/// `at_hash` and `c_hash`: the left half of a digest of what came with an ID token, by the digest that the
/// token's algorithm is named after (OpenID Connect Core sections 3.1.3.6 and 3.3.2.11).
enum HashClaim: String, Sendable {
  case accessToken = "at_hash"
  case code = "c_hash"

  /// The claim's value for `text`, or nil where none is defined for the algorithm.
  static func value(of text: String, _ algorithm: Algorithm) -> String? {
    guard let digest = algorithm.namedDigest, let hash = try? digest.hash(text.utf8.span) else { return nil }
    return Base64URL.string(Array(hash.prefix(digest.size / 2)))
  }

  /// The check that the claim is the hash of `text`. A missing claim is refused where it is demanded.
  func check(of text: String, isDemanded: Bool) -> TokenCheck {
    TokenCheck(
      rawValue,
      reference: self == .accessToken
        ? "OpenID Connect Core section 3.1.3.8" : "OpenID Connect Core section 3.3.2.10",
      expected: "the hash of the \(self == .accessToken ? "access token" : "code") that came with it"
        + (isDemanded ? "" : ", if there is one"),
      actual: { claims, _ in claims.has(rawValue) ? "present" : "absent" },
      refusal: { claims, header, _ in
        guard let found = claims[rawValue] else {
          return isDemanded ? ClaimError.hashMissing(name: rawValue).refusal : nil
        }
        guard let algorithm = header.algorithm, let wanted = Self.value(of: text, algorithm) else {
          return ClaimError.hashUndefined(name: rawValue, algorithm: header.algorithmName ?? "").refusal
        }
        guard let text = found.string, ConstantTime.areEqual(text.utf8.span, wanted.utf8.span) else {
          return ClaimError.hashMismatch(name: rawValue).refusal
        }
        return nil
      })
  }
}
