package import JOSE
internal import TokenSecurityBase

extension Expectation where Value == String {
  /// The expectation in words.
  var inWords: String {
    switch self {
    case .oneOf(let values): values.quotedList
    case .absent: "absent"
    case .unchecked(let reason): "not checked (\(reason))"
    }
  }

  /// The accepted values.
  var values: [String] { if case .oneOf(let values) = self { values } else { [] } }

  /// Returns true if a claim or header parameter is as expected.
  func accepts(_ value: JSONValue?) -> Bool {
    switch self {
    case .unchecked: true
    case .absent: value == nil
    case .oneOf(let values): value?.string.map { values.contains($0) } == true
    }
  }
}

extension TokenCheck {
  /// A check of a claim that is an array of strings. A claim of another type counts as empty.
  ///
  /// - Parameters:
  ///   - name: the claim.
  ///   - reference: the section of the standard.
  ///   - expected: the expectation, for explanations.
  ///   - error: the error of an array that is refused.
  /// - Returns: the check.
  static func list(
    _ name: String, reference: String? = nil, expected: String,
    error: @escaping @Sendable ([String]) -> ClaimError?
  ) -> TokenCheck {
    TokenCheck(
      name, reference: reference, expected: expected,
      actual: { claims, _ in claims[name]?.strings.map { $0.quotedList } ?? "absent" },
      refusal: { claims, _, _ in error(claims[name]?.strings ?? [])?.refusal })
  }

  /// The check of the authentication context class (`acr`), if there is an expectation.
  package static func authenticationContext(_ expected: Expectation<String>) -> [TokenCheck] {
    if case .unchecked = expected { return [] }
    return [
      TokenCheck(
        "acr", reference: "OpenID Connect Core section 2", expected: expected.inWords,
        actual: { claims, _ in claims["acr"]?.string?.quoted ?? "absent" },
        refusal: { claims, _, _ in
          expected.accepts(claims["acr"])
            ? nil
            : ClaimError.contextMismatch(actual: claims["acr"]?.string, expected: expected.values).refusal
        })
    ]
  }
}
