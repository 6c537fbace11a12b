import CognitoIdentityClient
import Dispatch
internal import SigV4
import TokenSecurityCrypto

/// Responses to a device's calls. The first byte selects the call and the status.
private struct Fixed: HTTPTransport {
  let status: Int
  let body: [UInt8]

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    TransportResponse(status: status, body: body)
  }
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0, let endpoint = try? IdentityEndpoint(region: "us-east-1"),
    let role = try? RoleRequest(roleARN: "arn:aws:iam::123456789012:role/x")
  else { return 0 }
  let kind = start[0]
  let calls = IdentityCalls(
    endpoint: endpoint,
    transport: Fixed(
      status: kind & 0x80 == 0 ? 200 : 400,
      body: Array(UnsafeBufferPointer(start: start + 1, count: count - 1))))
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do throws(IdentityClientError) {
      let text: String
      switch kind % 4 {
      case 0: text = try await calls.identityID(poolID: "us-east-1:x")
      case 1: text = try await calls.openIDToken(for: "us-east-1:x").token
      case 2: text = try await calls.credentials(for: "us-east-1:x").credentials.accessKeyID
      default: text = try await calls.assumeRole(role, token: "t").accessKeyID
      }
      precondition(!text.isEmpty)
      precondition(kind & 0x80 == 0)
    } catch {
      precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
    }
    done.signal()
  }
  done.wait()
  return 0
}
