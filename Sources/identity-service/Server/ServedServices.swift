internal import CognitoIdentity

extension ServedService {
  /// The services of the program: one entry for each declaration.
  static func all(_ service: IdentityPoolService) -> [ServedService] {
    let operations = IdentityPoolOperations(service)
    return [identityPools, securityTokenService].map { declaration in
      ServedService(declaration, context: { IdentityPoolOperations.Context(caller: $0) }) {
        (route, body, caller) throws(IdentityError) in
        try await operations.call(route, body, by: caller)
      }
    }
  }
}
