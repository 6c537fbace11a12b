internal import SigV4
import TokenSecurityCrypto

/// Sources of credentials and responses of services: shared files, programs, XML, JSON, POST policies.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return -1 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  do {
    switch start[0] % 5 {
    case 0: _ = try CredentialTexts.sharedFile(bytes)
    case 1: _ = try CredentialTexts.program(bytes)
    case 2: _ = try CredentialTexts.service(bytes)
    case 3: _ = try ServerExplanation(response: bytes)
    default: _ = try PostPolicy(base64: String(decoding: bytes, as: UTF8.self))
    }
  } catch let error as CredentialsError {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  } catch let error as SigV4Error {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  } catch {
    fatalError("\(error)")
  }
  return 0
}
