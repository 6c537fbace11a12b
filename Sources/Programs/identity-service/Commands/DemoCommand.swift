internal import ArgumentParser
internal import CognitoIdentity
internal import Foundation

/// Serves a pool for demonstrations.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Make a pool, a role and a developer's access key, and print commands that use them.",
    discussion: """
      The data is in a temporary folder, which is removed at the end; --data names another folder. The port \
      is any free port; --port names another.
      """)

  @OptionGroup var flags: ServiceConfiguration

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/identity-service-demo-\(UUID().uuidString)"
    guard flags.store == nil else {
      throw OperatingError("demo makes a folder of its own: leave --store out, or use serve")
    }
    let configuration = try flags.completed(defaults: [("data", folder), ("port", "0")])
    defer { if configuration.data == folder { try? FileManager.default.removeItem(atPath: folder) } }
    let opened = try await OpenedService(configuration)
    let service = opened.service
    let role = "arn:aws:iam::\(service.settings.account):role/demo-user"
    let pool = try await service.createPool(named: "demo") { pool in
      pool.developerProviderName = "login.demo.app"
      pool.allowsClassicFlow = true
      pool.roles = ["authenticated": role]
    }
    try await service.putRole(StoredRole(arn: role, trustPolicy: Self.trustPolicy(pool.id)))
    let poolID = pool.id
    try await opened.run { address in
      opened.warn(address)
      try opened.finishFirstStart()
      let key = AccessKeyText(try await service.createAccessKey(note: "demo"))
      let isPrinted = key.print(
        .exports(indent: 2),
        after: """
          identity-service is listening on \(address.url)

          The developer's credentials, for your own service and not for devices:


          """, before: Self.lines(address.client, service.settings.region, poolID, role))
      try StandardOutput.check(isPrinted)
    }
  }

  static func trustPolicy(_ poolID: String) -> String {
    """
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
      "Principal": {"Federated": "cognito-identity.amazonaws.com"}, "Action": "sts:AssumeRoleWithWebIdentity",
      "Condition": {"StringEquals": {"cognito-identity.amazonaws.com:aud": "\(poolID)"},
        "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"}}}]}
    """
  }

  private static func lines(_ url: String, _ region: String, _ pool: String, _ role: String) -> String {
    """
      export AWS_DEFAULT_REGION=\(region)

    A token for your user "jane", with the AWS CLI:

      aws cognito-identity get-open-id-token-for-developer-identity --endpoint-url \(url) \\
        --identity-pool-id \(pool) --logins login.demo.app=jane --query Token --output text > token.txt

    The same with boto3:

      import boto3
      cognito = boto3.client("cognito-identity", endpoint_url="\(url)")
      response = cognito.get_open_id_token_for_developer_identity(
          IdentityPoolId="\(pool)", Logins={"login.demo.app": "jane"}, TokenDuration=900)

    Verify the token and show its claims:

      verify-token --explain --identity-pool \(pool) --jwks \(url)/.well-known/jwks_uri --plain-loopback < token.txt

    On the device, the enhanced flow:

      credentials = cognito.get_credentials_for_identity(
          IdentityId=response["IdentityId"], Logins={"cognito-identity.amazonaws.com": response["Token"]})

    or the basic flow:

      sts = boto3.client("sts", endpoint_url="\(url)")
      sts.assume_role_with_web_identity(
          RoleArn="\(role)", RoleSessionName="jane", WebIdentityToken=response["Token"])

    Ctrl-C stops the service.

    """
  }
}
