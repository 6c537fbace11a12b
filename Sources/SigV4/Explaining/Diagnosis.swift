internal import TokenSecurityEncodings

/// A mistake that would explain why a signature does not hold.
public struct Diagnosis: Sendable, Hashable {
  /// A stable code, `path_encoded_twice` for instance.
  public let code: String
  /// One sentence for people.
  public let sentence: String
  /// True where the signature holds once the mistake is made here, too. False for a guess.
  public let isConfirmed: Bool
}

/// One way in which a signer may have made another canonical request of the same request.
struct Variation: Sendable {
  let code: String
  let sentence: String
  /// Makes the mistake; false where it would change nothing.
  let change: @Sendable (inout CanonicalLines) -> Void

  init(_ code: String, _ sentence: String, _ change: @escaping @Sendable (inout CanonicalLines) -> Void) {
    self.code = code
    self.sentence = sentence
    self.change = change
  }
}

/// Finding the mistake: each variation alone, then two at once.
struct Diagnostician {
  let request: UnverifiedRequest
  let keys: [(key: CheckingKey, mistake: Diagnosis?)]

  /// The variations under which the signature holds; none where none does.
  func proven(_ canonical: CanonicalRequest, _ variations: [Variation]) -> [Diagnosis] {
    guard let lines = CanonicalLines(canonical.description) else { return [] }
    for (key, mistake) in keys {
      if let mistake, holds(lines, key) { return [mistake] }
      for variation in variations {
        var changed = lines
        variation.change(&changed)
        if changed != lines, holds(changed, key) {
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
        if twice != once, holds(twice, key) { return [Self.diagnosis(first), Self.diagnosis(second)] }
      }
    }
    return []
  }

  private static func diagnosis(_ variation: Variation) -> Diagnosis {
    Diagnosis(code: variation.code, sentence: variation.sentence, isConfirmed: true)
  }

  private func holds(_ lines: CanonicalLines, _ key: CheckingKey) -> Bool {
    guard let hash = try? SigV4Error.digest(lines.bytes.span) else { return false }
    let parameters = request.parameters
    let text = StringToSign.make(
      parameters.algorithm, date: parameters.date.amzBytes, scope: parameters.scope.bytes, requestHash: hash)
    return (try? key.check(parameters.signature, over: text.span)) == true
  }
}
