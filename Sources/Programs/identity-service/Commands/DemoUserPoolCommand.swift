internal import ArgumentParser
internal import CognitoIdentity
internal import CognitoUserPool
internal import Foundation
internal import RecordsSQLite
internal import TokenSecurityBase

/// Serves a user pool for demonstrations.
struct DemoUserPoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo-user-pool",
    abstract:
      "Make a user pool, an app client and an identity pool, and print commands that sign a user up and in.",
    discussion: """
      The data and the file of messages are in a temporary folder, which is removed \
      at the end; --data and --message-file name others. The port is any free port; \
      --port names another.
      """)

  @OptionGroup var flags: ServiceConfiguration

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/identity-service-demo-\(UUID().uuidString)"
    guard flags.store == nil else {
      throw OperatingError("demo-user-pool makes a folder of its own: leave --store out, or use serve")
    }
    let configuration = try flags.completed(
      defaults: [("data", folder), ("port", "0")]
        + (flags.hasSender ? [] : [("messageFile", (flags.data ?? folder) + "/messages.jsonl")]))
    defer { if configuration.data == folder { try? FileManager.default.removeItem(atPath: folder) } }
    let opened = try await OpenedService(configuration)
    let calls = OperatorCalls(opened.services)
    let made = try await calls.call(
      CreateUserPool.self,
      [
        "PoolName": "demo", "AutoVerifiedAttributes": ["email"],
        "DeviceConfiguration": [
          "ChallengeRequiredOnNewDevice": true, "DeviceOnlyRememberedOnUserPrompt": true,
        ],
      ])
    let pool = made["UserPool"]?.object?["Id"]?.string ?? ""
    try await calls.call(
      SetUserPoolMfaConfig.self,
      [
        "UserPoolId": .string(pool), "MfaConfiguration": "OPTIONAL",
        "SoftwareTokenMfaConfiguration": ["Enabled": true],
      ])
    let client = try await calls.call(
      CreateUserPoolClient.self,
      [
        "UserPoolId": .string(pool), "ClientName": "demo", "PreventUserExistenceErrors": "ENABLED",
        "ExplicitAuthFlows": [
          "ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_AUTH", "ALLOW_REFRESH_TOKEN_AUTH",
        ],
      ])
    let clientID = client["UserPoolClient"]?.object?["ClientId"]?.string ?? ""
    let identities = try await Self.identityPool(of: pool, clientID, opened.service)
    try await opened.run { address in
      opened.warn(address)
      try opened.finishFirstStart()
      try StandardOutput.print(
        Self.lines(
          address, opened.services.userPools.settings.region, pool, clientID, identities,
          configuration.messageFile))
    }
  }

  /// An identity pool whose logins are the user pool's tokens, with a role for their users.
  private static func identityPool(
    of userPool: String, _ clientID: String, _ service: IdentityPoolService
  ) async throws -> String {
    let role = "arn:aws:iam::\(service.settings.account):role/demo-user"
    let pool = try await service.createPool(named: "demo") { pool in
      pool.userPoolClients = [
        IdentityPool.UserPoolClient(
          providerName: "\(AWSRegion.userPoolHost(in: service.settings.region))/\(userPool)",
          clientID: clientID,
          checksSignIns: true)
      ]
      pool.roles = ["authenticated": role]
    }
    try await service.putRole(StoredRole(arn: role, trustPolicy: DemoCommand.trustPolicy(pool.id)))
    return pool.id
  }

  /// The folder of this program, in which verify-token is, too.
  private static var programFolder: String {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return PrivateFiles.folder(of: program ?? CommandLine.arguments[0])
  }

  private static func lines(
    _ address: IdentityServer.Address, _ region: String, _ pool: String, _ client: String,
    _ identities: String, _ messages: String?
  ) -> String {
    let file = messages.map { ShellWord.text($0) }
    let code = file.map { file in
      """
      A moment later the code is in the file of messages:

          for i in $(seq 100); do grep -qs '"userPoolId":"\(pool)".*"userName":"jane"' \(file) && break; sleep 0.1; done
          code=$(sed -n 's/.*"userPoolId":"\(pool)".*"userName":"jane".*"code":"\\([0-9]*\\)".*/\\1/p' \(file) | tail -1)
      """
    }
    return """
      identity-service is listening on \(address.url)

        address     \(address.client)
        pool        \(pool)
        client      \(client)
        identities  \(identities)
        messages    \(messages ?? "sent")
        keys        \(address.client)/\(pool)/.well-known/jwks.json

      In another terminal, with the AWS CLI, sign a user up:

          export PATH=\(ShellWord.text(programFolder)):"$PATH"
          export AWS_DEFAULT_REGION=\(region)
          cognito() { aws cognito-idp --endpoint-url \(address.client) --no-sign-request "$@"; }
          cognito sign-up --client-id \(client) --username jane \\
            --password 'Correct-horse-9' --user-attributes Name=email,Value=jane@example.com

      \(code ?? "Read the code in the message:\n\n    code=123456")

      Confirm the user and sign in:

          cognito confirm-sign-up --client-id \(client) --username jane \\
            --confirmation-code "$code"
          cognito initiate-auth --client-id \(client) --auth-flow USER_PASSWORD_AUTH \\
            --auth-parameters USERNAME=jane,PASSWORD='Correct-horse-9' \\
            --query AuthenticationResult.IdToken --output text > token.txt

      Verify the token and show its claims:

          verify-token --explain --user-pool \(pool) --use id --client-id \(client) \\
            --jwks \(address.client)/\(pool)/.well-known/jwks.json --plain-loopback < token.txt

      Ctrl-C stops the service.

      """
  }
}
