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

private let operations = service.map { IdentityPoolOperations($0) }
private let router = OperationRouter(identityPools)
/// An access key that may do everything.
private let key = Task { try await service?.createAccessKey().id ?? "" }

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let names = identityPools.operations
  guard count > 0, let operations else { return 0 }
  let name = names[Int(start[0]) % names.count].declaration.name
  let target = (name: "X-Amz-Target", value: "AWSCognitoIdentityService.\(name)")
  guard let route = try? router.route(OperationRequestHead(method: "POST", target: "/", headers: [target]))
  else { preconditionFailure("no operation \(name)") }
  let body = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    guard let id = try? await key.value else { preconditionFailure("no access key") }
    do throws(IdentityError) {
      let caller = IdentityPoolOperations.Caller.developer(accessKeyID: id)
      let call = try await operations.call(route, body, by: caller)
      let response = try await call.respond(.init(caller: caller), requestID: "x").response
      precondition(response.body.first == UInt8(ascii: "{"))
    } catch {
      // No request makes the service fail, except that there is no signing key.
      precondition(error.status == 400 || error.codeText == "identity_crypto_failed", error.description)
      let response = EncodedResponse(error, identityPools.binding, requestID: "x")
      precondition(response.body.first == UInt8(ascii: "{"))
    }
    done.signal()
  }
  done.wait()
  return 0
}
