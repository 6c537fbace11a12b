import JOSE
import OpenIDConnect

/// Provider metadata, and key sets with numbers in any form. Keys that the strict parser accepts are the same
/// in the loose parser.
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
  // The loose parser reads private keys as public ones and omits symmetric keys.
  for key in strict.keys where key.kind != .symmetric {
    guard let name = try? key.thumbprint() else { preconditionFailure("no thumbprint") }
    while let first = rest.first, (try? first.thumbprint()) != name { rest = rest.dropFirst() }
    precondition(!rest.isEmpty, "a key reads as another")
    rest = rest.dropFirst()
  }
  return 0
}
