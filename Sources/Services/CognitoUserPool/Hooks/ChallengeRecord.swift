internal import TokenSecurityBase

/// A challenge that the user answered in a custom flow: an element of `session`.
package struct ChallengeRecord: Sendable, Hashable {
  /// The challenge's name, such as `CUSTOM_CHALLENGE`, `SRP_A`, `PASSWORD_VERIFIER`.
  package var name: String
  /// Whether the answer was right.
  package var result: Bool
  /// The metadata of the challenge from CreateAuthChallenge.
  package var metadata: String?

  package init(name: String, result: Bool, metadata: String? = nil) {
    self.name = name
    self.result = result
    self.metadata = metadata
  }

  var json: JSONValue {
    .object([
      "challengeName": .string(name), "challengeResult": .bool(result),
      "challengeMetadata": metadata.map { .string($0) } ?? .null,
    ])
  }
}
