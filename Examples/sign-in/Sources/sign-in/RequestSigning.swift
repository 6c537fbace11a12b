import AsyncHTTPTransport
import CognitoIdentityClient
import CognitoUserPoolClient
import Foundation
import SigV4

/// AWS credentials for the signed-in user, and a request that is signed with them.
struct RequestSigning {
  let sessions: UserPoolSessions
  let transport: HTTPClientTransport
  let verifyToken: String

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Gets credentials, signs a request, and lets `verify-token` verify it.
  func signAndVerify(identityPool: String, endpoint: String?) async throws {
    let region = sessions.client.pool.region
    let address =
      try endpoint.map { try IdentityEndpoint(address: $0, region: region) }
      ?? IdentityEndpoint(region: region)
    let calls = IdentityCalls(endpoint: address, transport: transport)
    // The ID token of the signed-in user is the login.
    let provider = try IdentityProvider(poolID: identityPool, calls: calls, logins: sessions)
    await sessions.inform(provider)
    let credentials = try await provider.credentials()
    let identity = try await provider.identityID()
    print("credentials \(credentials.accessKeyID) for the identity \(identity)")

    let (service, body, now) = ("execute-api", Array(#"{"order":1}"#.utf8), Timestamp.now)
    let head = RequestHead(
      "POST", "/orders", headers: ["Host": "api.example", "Content-Type": "application/json"])
    let signed = try Signer(service: service, region: region)
      .sign(head, body: .bytes(body), with: credentials, at: now)

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    var message = Data("POST /orders HTTP/1.1\r\n".utf8)
    for field in signed.head.headers {
      message.append(contentsOf: "\(field.name): ".utf8)
      message.append(contentsOf: field.value)
      message.append(contentsOf: "\r\n".utf8)
    }
    message.append(contentsOf: "\r\n".utf8)
    message.append(contentsOf: body)
    try message.write(to: folder.appendingPathComponent("request.http"))
    // The key of this day, region and service alone.
    let key = try ScopedSigningKey(credentials, date: now, region: region, service: service)
    let hexadecimal = key.withStoredBytes { bytes in
      bytes.indices.map { String(format: "%02x", bytes[$0]) }.joined()
    }
    try Data(hexadecimal.utf8).write(to: folder.appendingPathComponent("key"))

    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      verifyToken, "sigv4", "verify", "--explain", "--signing-key", folder.appendingPathComponent("key").path,
      "--host", "api.example", folder.appendingPathComponent("request.http").path,
    ]
    // What was printed so far comes first.
    fflush(nil)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "the signed request is refused") }
  }
}
