import JOSE
import OpenIDConnect

/// DPoP proofs, which contain their key: each input is refused or verified, without a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  guard let address = try? HTTPURL("https://api.example/orders") else { return -1 }
  let rules = DPoPRules { _, _, _ in true }
  do {
    let proof = try rules.verify(
      text, method: "POST", address: address, accessToken: nil, at: NumericDate(seconds: 1_767_225_600))
    precondition(proof.thumbprint.utf8.count == 43)
  } catch {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  }
  return 0
}
