/// The value of `WWW-Authenticate` (RFC 6750 section 3, RFC 9449 section 7.1). No part of it is text of the request.
struct Challenge {
  let route: AuthorizationRoute

  /// The parameters of a refusal.
  struct Parameters {
    var error: String?
    var description: String?
    var scope: String?
    var contexts: String?
  }

  /// The challenges of the route's schemes. The parameters are those of the scheme that the request has used.
  func text(_ parameters: Parameters = Parameters(), of scheme: AuthorizationField.Scheme? = nil) -> String {
    var schemes: [AuthorizationField.Scheme] = []
    if route.proof?.isRequired != true { schemes.append(.bearer) }
    if route.proof != nil { schemes.append(.dpop) }
    let used = scheme.flatMap { schemes.contains($0) ? $0 : nil } ?? schemes[0]
    // The scheme that was used comes first: some clients read one challenge only.
    return ([used] + schemes.filter { $0 != used })
      .map { text($0, $0 == used ? parameters : Parameters()) }.joined(separator: ", ")
  }

  private func text(_ scheme: AuthorizationField.Scheme, _ parameters: Parameters) -> String {
    let algorithms = scheme == .dpop ? ProofRules.algorithmNames : nil
    let parts = [
      ("realm", route.realm), ("algs", algorithms), ("error", parameters.error),
      ("error_description", parameters.description), ("scope", parameters.scope),
      ("acr_values", parameters.contexts), ("resource_metadata", route.metadata?.address),
    ].compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }
    let name = scheme == .dpop ? "DPoP" : "Bearer"
    return parts.isEmpty ? name : "\(name) " + parts.joined(separator: ", ")
  }
}
