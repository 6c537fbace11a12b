internal import CognitoIdentity

extension ServedService {
  /// The services of the program: one entry for each declaration.
  static func all(_ service: IdentityPoolService) -> [ServedService] {
    let operations = IdentityPoolOperations(service)
    return [identityPools, securityTokenService].map { declaration in
      ServedService(declaration, context: { .init(caller: $0.caller, at: $0.time) }) {
        (route, body, origin) throws(IdentityError) in
        try await operations.call(route, body, by: origin.caller)
      }
    }
  }
}
