import CognitoIdentity
import TokenSecurityCrypto
import Dispatch

/// Trust policies, session tokens, forms of STS and names of login providers. The first byte selects the
/// parser.
private let service: IdentityPoolService? = {
  let master = [UInt8](repeating: 1, count: 32)
  guard let sealing = try? SealingKeys(master: SecretBytes(master.span)),
    let store = try? MemoryRecordStore(tables: IdentityTables.all)
  else { return nil }
  return IdentityPoolService(
    store: store, sealing: sealing, logins: LoginVerifier())
}()

private let router = OperationRouter(securityTokenService)

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0, let service else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let text = String(decoding: bytes, as: UTF8.self)
  do throws(IdentityError) {
    switch start[0] % 5 {
    case 0:
      let policy = try TrustPolicy(json: text)
      let pool = "us-east-1:00000000-0000-4000-8000-000000000000"
      // A loaded policy allows no pool that it does not name.
      let caller = TrustPolicy.Caller.webIdentity(poolID: pool, identityID: pool, methods: ["authenticated"])
      precondition(!policy.allows(caller) || text.contains("\\") || text.contains(pool))
    case 1: _ = try service.sessions.open(text, of: "ASIAAAAAAAAAAAAAAAAA")
    case 2:
      let route: OperationRoute
      do throws(OperationError) { route = try router.route(form: bytes) } catch { throw IdentityError(error) }
      guard route.declaration.name == "AssumeRoleWithWebIdentity" else { return 0 }
      let done = DispatchSemaphore(value: 0)
      Task.detached {
        do throws(IdentityError) {
          let call = try await IdentityPoolOperations(service).call(route, bytes, by: .unsigned)
          _ = try await call.respond(.init(caller: .unsigned), requestID: "x")
          preconditionFailure("a role was assumed in a service without roles")
        } catch {
          check(error)
        }
        done.signal()
      }
      done.wait()
    case 3: precondition(LoginProvider(publicName: text) == nil || text.utf8.count >= 14)
    default: precondition(LoginProvider(openIDProviderARN: text) == nil || text.hasPrefix("arn:aws"))
    }
  } catch {
    check(error)
  }
  return 0
}

private func check(_ error: IdentityError) {
  precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  let response = EncodedResponse(error, securityTokenService.binding, requestID: "x")
  precondition(!response.body.contains(0))
}
