import JOSE

/// Key sets: every accepted key can be written, read again and has a thumbprint.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let set = try? JWKSet(json: SecretBytes(bytes.span)) else { return 0 }
  if let others = try? JWKSet(json: SecretBytes(bytes.span), form: .publicOnly) {
    precondition(others.keys.allSatisfy { !$0.isPrivate })
  }
  for key in set.keys {
    _ = key.algorithms
    guard let name = try? key.thumbprint() else { preconditionFailure("no thumbprint") }
    guard let text = key.publicJWK.map({ JSONValue.object($0).description }) else { continue }
    guard let again = try? JWK(json: text) else { preconditionFailure(text) }
    precondition((try? again.thumbprint()) == name)
  }
  for rejected in set.rejected { precondition(!rejected.error.description.isEmpty) }
  _ = try? TokenVerifier(keys: set, policy: TokenPolicy(issuer: "i", audience: "a")).verify("e30.e30.")
  return 0
}
