internal import JOSE

/// Makes keys and tokens for the interoperability tests, with the library's public interface alone.
///
///     peer tokens key ALGORITHM               a new key, private and public, as JWK and PEM
///     peer tokens sign ALGORITHM JWK CLAIMS   a compact token of JSON claims
///     peer tokens general JWK PAYLOAD         a payload in the general JSON serialisation
enum TokenPeer {
  static func run(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("key", 2): try key(arguments[1])
    case ("sign", 4): try sign(arguments[1], arguments[2], arguments[3])
    case ("general", 3): try general(arguments[1], arguments[2])
    default:
      throw JOSEError.policyInvalid(
        rule: "usage: key ALGORITHM | sign ALGORITHM JWK CLAIMS | general JWK PAYLOAD")
    }
  }

  private static func algorithm(_ name: String) throws -> Algorithm {
    guard let algorithm = Algorithm(name: name) else { throw JOSEError.algorithmUnknown(name) }
    return algorithm
  }

  private static func key(_ name: String) throws {
    let key = try JWK.generate(algorithm(name), keyID: name)
    var object: JSONObject = ["private": try JSONValue(parsing: text(key.privateJWK()))]
    if let publicJWK = key.publicJWK {
      object["public"] = .object(publicJWK)
      object["pem"] = .string(try key.publicPEM())
      object["private_pem"] = .string(try text(key.privatePEM()))
      object["thumbprint"] = .string(try key.thumbprint())
    }
    print(JSONValue.object(object))
  }

  private static func sign(_ name: String, _ jwk: String, _ claims: String) throws {
    let claims = TokenClaims(try JSONValue(parsing: claims).object ?? JSONObject())
    print(try TokenSigner(key: JWK(json: jwk), algorithm: algorithm(name)).sign(claims))
  }

  private static func general(_ jwk: String, _ payload: String) throws {
    let signer = JWSJSONSigner(try JWSSigner(key: JWK(json: jwk)))
    print(try JWSJSONSigner.general(Array(payload.utf8), by: [signer]))
  }

  private static func text(_ secret: consuming SecretBytes) -> String {
    secret.withBytes { span in
      var bytes: [UInt8] = []
      for index in span.indices { bytes.append(span[index]) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
