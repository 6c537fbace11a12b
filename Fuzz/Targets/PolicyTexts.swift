import HTTPExchange
import OpenIDConnect

/// Policies in JSON: none stops the process, and each that is read makes a verifier.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let json = Array(UnsafeBufferPointer(start: start, count: count))
  for keys in [nil, given] {
    do throws(PolicyDocumentError) {
      let document = try PolicyDocument(json, keys: keys)
      precondition(!document.issuers.isEmpty && document.issuers.count <= PolicyDocument.issuerLimit)
      // Policies that contradict themselves, and issuers that are listed twice, are refused here.
      _ = try? OpenIDVerifier(document.issuers, transport: NoNetwork(), configuration: document.fetching)
    } catch {
      precondition(!error.codeText.isEmpty && !error.description.isEmpty)
    }
  }
  return 0
}

private let given = try? JWKSet(
  json: #"{"kty":"oct","alg":"HS256","k":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}"#)

private struct NoNetwork: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .connection("")
  }
}
