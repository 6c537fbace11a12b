internal import CognitoIdentityClient
internal import OpenIDConnect
internal import TokenSecurityBase

/// Where the signing keys of sessions are asked for: an entry of `session_keys`.
struct SessionKeysSettings: Sendable, Hashable {
  let name: String
  let endpoint: IdentityEndpoint
  /// A file with the API's own access key, as `key create --json` prints it; nil for the environment.
  let keyFile: String?
  /// A file of certificates in PEM; nil for the machine's.
  let trustRoots: String?
  /// Maximum number of kept keys.
  let capacity: Int
  /// Maximum number of questions at the same time.
  let questions: Int

  init(_ name: String, _ object: inout DocumentObject) throws(PolicyDocumentError) {
    self.name = name
    let address = try object.requiredText("endpoint")
    let region = try object.requiredText("region")
    do throws(IdentityClientError) { endpoint = try IdentityEndpoint(address: address, region: region) } catch
    {
      throw object.refused("endpoint", "or region: \(error)")
    }
    keyFile = try object.text("key_file")
    trustRoots = try object.text("trust_roots")
    capacity = Int(try object.number("capacity", 1...1_000_000) ?? 10_000)
    questions = Int(try object.number("questions", 1...1_024) ?? 64)
    try object.refuseOthers()
  }
}
