import SigV4
import TokenSecurityCrypto

/// Requests as text: parsed, signed, verified and explained.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let now = Timestamp(seconds: 1_440_938_160)
  do {
    let message = try HTTPMessage(parsing: Array(UnsafeBufferPointer(start: start, count: count)))
    let credentials = try Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: SecretBytes(Array("secret".utf8).span))
    var policy = VerifierPolicy(service: "service", region: "us-east-1", hosts: .unchecked(because: "fuzzed"))
    policy.placements = [.header, .query]
    policy.payloads = Set(PayloadBinding.allCases)
    policy.acceptedAmbiguities = Set(RequestAmbiguity.allCases)
    let verifier = try RequestVerifier(policy: policy)
    if count < 2_048 {
      _ = verifier.explain(message, key: .credentials(credentials), at: now)
    }
    let signer = try Signer(service: "service", region: "us-east-1")
    let signed = try signer.sign(message.head, body: .bytes(message.body), with: credentials, at: now)
    do {
      let pending = try verifier.parse(signed.head, at: now)
      _ = try verifier.verify(pending, key: .credentials(credentials), body: message.body)
    } catch {
      // The signer signs repeated headers, and trailers and lengths of a stream; the verifier refuses them.
      precondition(error.code == .headerRepeated, "\(error)")
    }
    let again = try HTTPMessage(parsing: HTTPMessage(head: signed.head, body: message.body).bytes)
    precondition(again.body == message.body)
  } catch {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  }
  return 0
}
