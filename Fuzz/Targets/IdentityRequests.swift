import CognitoIdentity
import TokenSecurityCrypto
import Dispatch

/// Requests of the JSON protocol: the first byte selects the operation, the rest is the body.
private let service: IdentityPoolService? = {
  let master = [UInt8](repeating: 1, count: 32)
  guard let sealing = try? SealingKeys(master: SecretBytes(master.span)),
    let store = try? MemoryRecordStore(tables: IdentityTables.all)
  else { return nil }
  return IdentityPoolService(
    store: store, sealing: sealing, logins: LoginVerifier(),
    settings: IdentityPoolService.Settings(poolLimit: 50))
}()

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0, let service else { return 0 }
  let operations = IdentityPoolService.Operation.allCases
  let operation = operations[Int(start[0]) % operations.count]
  let body = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do throws(IdentityError) {
      let response = try await service.respond(to: operation, body)
      precondition(response.first == UInt8(ascii: "{"))
    } catch {
      // No request makes the service fail, except that there is no signing key.
      precondition(error.status == 400 || error.codeText == "identity_crypto_failed", error.description)
      precondition(IdentityPoolService.errorResponse(error).first == UInt8(ascii: "{"))
    }
    done.signal()
  }
  done.wait()
  return 0
}
