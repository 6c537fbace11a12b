import HTTPExchange
import OpenIDConnect

/// Configurations of sidecars: none stops the process, and what is read keeps its bounds. The rest of the input is a value of
/// `Authorization`, and a claim in a header field.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(PolicyDocumentError) {
    let configuration = try AuthorizationConfiguration(bytes)
    precondition(
      !configuration.routes.isEmpty && configuration.routes.count <= AuthorizationConfiguration.routeLimit)
    for route in configuration.routes {
      precondition(configuration.policies.contains { $0.name.utf8.elementsEqual(route.policy.utf8) })
      check(route.headers, String(decoding: bytes, as: UTF8.self))
    }
  } catch {
    precondition(!error.codeText.isEmpty && !error.description.isEmpty)
  }
  let text = String(decoding: bytes, as: UTF8.self)
  if case .socket(let path, _)? = ListenAddress(text) { precondition(path.utf8.count <= 107) }
  return 0
}

/// No value can end a header field.
private func check(_ headers: [ClaimHeader], _ text: String) {
  for header in headers {
    guard let first = header.path.first else { fatalError("a field without a claim") }
    guard let value = header.value(in: TokenClaims([first: .string(text)])) else { continue }
    precondition(
      value.utf8.count <= ClaimHeader.limit && value.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }
}
