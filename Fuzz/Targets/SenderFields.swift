import JOSE
import OpenIDConnect
import TokenSecurityCrypto

private let fields: [ClientCertificateField] = {
  let routes = ["escaped-pem", "xfcc", "client-cert"].map {
    "\"\($0)\":{\"policy\":\"p\",\"client_certificate\":{\"header\":\"A\",\"form\":\"\($0)\"}}"
  }
  let text =
    "{\"version\":1,\"listen\":\"127.0.0.1:1\",\"policies\":{\"p\":{\"version\":1,\"issuers\":[{\"profile\":\"google\",\"client_ids\":\"c\",\"binding\":\"x5t#S256\"}]}},\"routes\":{\(routes.joined(separator: ","))}}"
  return (try? AuthorizationConfiguration(Array(text.utf8)))?.routes.compactMap(\.clientCertificate) ?? []
}()
private let nonces = try? ProofNonces(key: SecretBytes([UInt8](repeating: 7, count: 32).span))
private let now = NumericDate(seconds: 1_800_000_000)

/// The field with a client's certificate in each form, and a nonce. None stops the process; a thumbprint has its size, and no
/// input is a nonce.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  precondition(fields.count == 3)
  for field in fields {
    do throws(ClientCertificateField.Problem) {
      let thumbprint = try field.thumbprint(in: RequestFields { _ in [text] })
      precondition(thumbprint.utf8.count == 43)
    } catch {
      precondition(error == .malformed || text.isEmpty)
    }
  }
  guard let nonces, let made = nonces.make(at: now) else { fatalError("there is no nonce") }
  precondition(nonces.check(made, at: now) == .fresh)
  precondition(nonces.check(text, at: now) == .refused)
  return 0
}
