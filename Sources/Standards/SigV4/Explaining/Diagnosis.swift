internal import TokenSecurityBase

/// A mistake that can explain why a signature does not match.
public struct Diagnosis: Sendable, Hashable {
  /// A stable code, `path_encoded_twice` for example.
  public let code: String
  /// One sentence for people.
  public let sentence: String
  /// Whether the signature matches a request with this mistake. False for a guess.
  public let isConfirmed: Bool
}

/// A mistake of a signer that changes the canonical request.
struct Variation: Sendable {
  let code: String
  let sentence: String
  /// Makes the mistake.
  let change: @Sendable (inout CanonicalLines) -> Void

  init(_ code: String, _ sentence: String, _ change: @escaping @Sendable (inout CanonicalLines) -> Void) {
    self.code = code
    self.sentence = sentence
    self.change = change
  }
}

/// Searches the mistake of a signer: tries each variation alone, then pairs.
struct DiagnosisSearch {
  let request: UnverifiedRequest
  let keys: [(key: CheckingKey, mistake: Diagnosis?)]

  /// The variations with which the signature matches, or none.
  func confirmed(_ canonical: CanonicalRequest, _ variations: [Variation]) -> [Diagnosis] {
    guard let lines = CanonicalLines(canonical.description) else { return [] }
    for (key, mistake) in keys {
      if let mistake, matches(lines, key) { return [mistake] }
      for variation in variations {
        var changed = lines
        variation.change(&changed)
        if changed != lines, matches(changed, key) {
          return [mistake, Self.diagnosis(variation)].compactMap { $0 }
        }
      }
    }
    guard let key = keys.first?.key else { return [] }
    for (index, first) in variations.enumerated() {
      var once = lines
      first.change(&once)
      guard once != lines else { continue }
      for second in variations[(index + 1)...] {
        var twice = once
        second.change(&twice)
        if twice != once, matches(twice, key) { return [Self.diagnosis(first), Self.diagnosis(second)] }
      }
    }
    return []
  }

  private static func diagnosis(_ variation: Variation) -> Diagnosis {
    Diagnosis(code: variation.code, sentence: variation.sentence, isConfirmed: true)
  }

  private func matches(_ lines: CanonicalLines, _ key: CheckingKey) -> Bool {
    guard let hash = try? SigV4Error.digest(lines.bytes.span) else { return false }
    let parameters = request.parameters
    let text = StringToSign.make(
      parameters.algorithm, date: parameters.date.amzBytes, scope: parameters.scope.bytes, requestHash: hash)
    return (try? key.check(parameters.signature, over: text.span)) == true
  }
}
