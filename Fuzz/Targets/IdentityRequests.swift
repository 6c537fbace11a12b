import CognitoIdentity
import TokenSecurityCrypto
import Dispatch
import OpenIDConnect

/// Requests of the JSON protocol, whole: the first byte is the operation, the rest its body. The store is in memory.
private let service: IdentityPoolService? = {
  let master = [UInt8](repeating: 1, count: 32)
  guard let sealing = try? SealingKeys(master: SecretBytes(master.span)) else { return nil }
  return IdentityPoolService(
    store: MemoryIdentityStore(), sealing: sealing, logins: LoginVerifier(transport: NoFetching()),
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
      let answer = try await service.respond(to: operation, body)
      precondition(answer.first == UInt8(ascii: "{"))
    } catch {
      // Whatever is asked, nothing of the house fails, but for the signing key, which nobody has made here.
      precondition(error.status == 400 || error.codeText == "identity_crypto_failed", error.description)
      precondition(IdentityPoolService.errorResponse(error).first == UInt8(ascii: "{"))
    }
    done.signal()
  }
  done.wait()
  return 0
}

private struct NoFetching: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .connection("none")
  }
}
