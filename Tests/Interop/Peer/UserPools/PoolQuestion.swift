internal import CognitoUserPoolClient
internal import TokenSecurityBase

extension Question {
  func attributes(_ name: String) -> [UserAttribute] {
    (object[name]?.object?.members ?? []).map { UserAttribute($0.name, $0.value.string ?? "") }
  }

  func texts(_ name: String) -> [String] { (object[name]?.array ?? []).compactMap(\.string) }

  var metadata: [ExactString: String] {
    var metadata: [ExactString: String] = [:]
    for member in object["metadata"]?.object?.members ?? [] {
      metadata[ExactString(member.name)] = member.value.string
    }
    return metadata
  }

  func pool() throws -> UserPool {
    let endpoint = try UserPoolEndpoint(address: text("endpoint"))
    guard object["client_secret"]?.string != nil else {
      return try UserPool(
        id: text("pool"), clientID: text("client"), analyticsEndpointID: object["analytics"]?.string,
        endpoint: endpoint, issuer: object["issuer"]?.string)
    }
    return try UserPool(
      id: text("pool"), clientID: text("client"), clientSecret: secret("client_secret"),
      analyticsEndpointID: object["analytics"]?.string, endpoint: endpoint, issuer: object["issuer"]?.string)
  }
}
