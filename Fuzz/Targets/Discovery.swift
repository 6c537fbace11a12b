import JOSE
import OpenIDConnect

/// What providers answer: descriptions of themselves, and key sets with numbers in any form. What the strict
/// reader accepts the loose one reads as the same keys.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    let metadata = try ProviderMetadata(bytes, issuer: "https://op.example")
    precondition(metadata.issuer == "https://op.example")
  } catch {
    precondition(error.description.utf8.count < 4_096)
  }
  guard let loose = try? JWKSet(json: bytes.span, form: .loose) else { return 0 }
  guard let strict = try? JWKSet(json: SecretBytes(bytes.span), form: .strict) else { return 0 }
  var rest = loose.keys[...]
  // Private keys are read as public ones, and secrets are left out.
  for key in strict.keys where key.kind != .symmetric {
    guard let name = try? key.thumbprint() else { preconditionFailure("no thumbprint") }
    while let first = rest.first, (try? first.thumbprint()) != name { rest = rest.dropFirst() }
    precondition(!rest.isEmpty, "a key reads as another")
    rest = rest.dropFirst()
  }
  return 0
}
