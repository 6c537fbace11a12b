internal import CognitoIdentity
internal import ServiceOperations
internal import TokenSecurityBase

/// The policy of the access key of an API that verifies requests: it allows to ask for signing keys of these names, and nothing
/// else but what every key may: `GetCallerIdentity` and `GetSessionToken`.
enum APIKeyPolicy {
  /// Makes the policy.
  ///
  /// - Parameters:
  ///   - names: the names of services in signatures to the API.
  ///   - account: the service's account.
  /// - Returns: the policy.
  /// - Throws: an `OperatingError` for a name that no signature can have.
  static func make(_ names: [String], account: String) throws -> PermissionPolicy {
    for name in names where !TextBounds.scopePart.allows(name) {
      throw OperatingError("--api \(name.quoted): it must be 1 to 64 letters, digits and -_.:")
    }
    for name in names where IdentityPoolService.ownNames.contains(ExactString(name)) {
      throw OperatingError("--api \(name.quoted): it is the name of a service of this program")
    }
    let document: JSONValue = [
      "Version": "2012-10-17",
      "Statement": [
        [
          "Effect": "Allow", "Action": "signing-keys:GetScopedSigningKey",
          "Resource": .array(names.map { .string("arn:aws:signing-keys:*:\(account):api/\($0)") }),
        ]
      ],
    ]
    return try PermissionPolicy(name: "api", document: document.description)
  }
}
