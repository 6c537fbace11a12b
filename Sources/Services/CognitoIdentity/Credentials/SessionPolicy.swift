internal import AccessPolicies
internal import TokenSecurityBase

/// The policies with which a session is opened. They limit what the role allows.
enum SessionPolicy {
  /// The name in explanations and errors.
  static let name = "session policy"

  /// Checks a document.
  ///
  /// - Parameter document: the document as the caller sent it.
  /// - Returns: the document without white space, for the session token.
  /// - Throws: `policyInvalid`, `parameterLength`, `parameterPattern`.
  static func packed(_ document: String) throws(IdentityError) -> String {
    try TextBounds.sessionPolicy.check(document, "Policy")
    do throws(AccessPolicyError) {
      _ = try AccessPolicy(json: document, name: name, kind: .identity)
    } catch {
      throw .policyInvalid(name: name, error)
    }
    // It has been read, so that it is JSON.
    guard let value = try? JSONValue(parsing: document) else { return document }
    return value.description
  }

  /// Loads a document of a session token; nil for one that this version does not load.
  static func loaded(_ document: String) -> AccessPolicy? {
    try? AccessPolicy(json: document, name: name, kind: .identity)
  }

  /// What a role without policies has in place of them, where a session policy limits it.
  static let everything: [AccessPolicy] = {
    let document = #"{"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}"#
    return (try? AccessPolicy(json: document, name: "no policies", kind: .identity)).map { [$0] } ?? []
  }()
}
