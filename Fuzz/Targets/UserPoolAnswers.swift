import CognitoUserPoolClient
import Dispatch
internal import ServiceOperations

/// Responses of a pool to its client, and stored sessions. The first byte selects what reads the rest.
private struct Fixed: HTTPTransport {
  let status: Int
  let body: [UInt8]

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    TransportResponse(status: status, body: body)
  }
}

/// A store in which every value is the same.
private struct FixedStore: SessionStore {
  let value: SecretText

  func load(_ key: SessionKey) throws(UserPoolClientError) -> SecretText? { value }
  func save(_ value: SecretText, for key: SessionKey) throws(UserPoolClientError) {}
  func delete(_ key: SessionKey) throws(UserPoolClientError) {}
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0, let pool = try? UserPool(id: "us-east-1_Example01", clientID: "client") else { return 0 }
  let kind = start[0]
  let body = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let client = UserPoolClient(pool: pool, transport: Fixed(status: kind & 0x80 == 0 ? 200 : 400, body: body))
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do throws(UserPoolClientError) {
      switch kind % 6 {
      case 0: _ = try await client.user(accessToken: "t")
      case 1: _ = try await client.devices(accessToken: "t")
      case 2: _ = try await client.authFactors(accessToken: "t")
      case 3: _ = try await client.forgotPassword(username: "jane")
      case 4: try await signIn(client)
      default: try await readStored(body, client)
      }
      precondition(kind % 6 == 5 || kind & 0x80 == 0)
    } catch {
      precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
    }
    done.signal()
  }
  done.wait()
  return 0
}

/// Follows a sign-in whose challenges are all the same.
private func signIn(_ client: UserPoolClient) async throws(UserPoolClientError) {
  let password = SecretBytes(Array("password".utf8).span)
  var step = try await client.signIn(
    username: "jane", password: password, options: SignInOptions(flow: .password))
  for _ in 0..<3 {
    let outcome: SignInOutcome
    switch consume step {
    case .password(let waiting): outcome = try await waiting.answer(password)
    case .smsCode(let waiting): outcome = try await waiting.answer("123456")
    case .emailCode(let waiting): outcome = try await waiting.answer("123456")
    case .softwareTokenCode(let waiting): outcome = try await waiting.answer("123456")
    case .chooseFactor(let waiting): outcome = try await waiting.choose(.sms)
    case .setUpFactor(let waiting): outcome = try await waiting.setUpSoftwareToken()
    case .setUpSoftwareToken(let waiting): outcome = try await waiting.answer("123456")
    case .newPassword(let waiting): outcome = try await waiting.answer(password)
    case .custom(let waiting): outcome = try await waiting.answer("42")
    case .chooseFirstFactor(let waiting): outcome = try await waiting.choose(.emailCode)
    case .done: return
    }
    step = try outcome.next()
  }
}

/// Reads names, a session and a device, none of which may stop the program. No token here has a valid signature.
private func readStored(_ bytes: [UInt8], _ client: UserPoolClient) async throws(UserPoolClientError) {
  guard let value = SecretText(bytes.span) else { return }
  let sessions = try UserPoolSessions(client: client, store: FixedStore(value: value))
  _ = try await sessions.deviceKey(of: "jane")
  _ = try await sessions.tokens(of: "jane")
  preconditionFailure("a session without valid tokens is accepted")
}
