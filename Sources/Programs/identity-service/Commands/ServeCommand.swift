internal import ArgumentParser
internal import CognitoIdentity
internal import Logging
internal import TokenSecurityPlatform

/// Serves the pools of a data folder or a database.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract:
      "Serve identity pools and user pools from a data folder or a database, and print how to call them.",
    discussion: """
      Settings come from flags, then the environment (IDENTITY_SERVICE_REQUEST_TIMEOUT=10), then the file of \
      --config ({"requestTimeout": 10}).

      The log is JSON lines on standard error. The first start makes a developer's access key. Its secret is \
      printed on a terminal; otherwise it is written to a file in the data folder, first-access-key. SIGTERM \
      and SIGINT stop the service after the calls that have begun.

      With --store, any number of nodes serve the data in a PostgreSQL database. \
      key create makes their first access key.

      EXAMPLES:
        Serve on all addresses, with a certificate:

          identity-service serve --data /var/lib/identity --address 0.0.0.0 \\
            --port 8443 --certificate chain.pem --private-key key.pem
      """)

  @OptionGroup var flags: ServiceConfiguration
  @Flag(help: "Check the settings, their files and the data as a start does, and end.")
  var checkConfig = false

  func run() async throws {
    let configuration = try flags.completed()
    guard !checkConfig else {
      let outcome = try await ConfigurationCheck.run(configuration)
      return try StandardOutput.print("the settings are valid; \(outcome)\n")
    }
    let opened = try await OpenedService(configuration)
    let service = opened.service
    let flags = flags
    try await opened.run(rereading: { try flags.completed() }) { address in
      opened.warn(address)
      // After the port is bound, so that a failed start leaves no key whose secret was not shown.
      let key = try await FirstAccessKey.make(for: service, in: opened.data)
      try opened.finishFirstStart()
      let isShown = Self.greet(address, region: service.settings.region, key)
      guard !isShown else { return }
      let reason = SystemError.text
      try await key?.remove(from: service)
      throw OperatingError("standard output cannot be written: \(reason)", code: .outputFailed)
    }
  }

  private static func greet(
    _ address: IdentityServer.Address, region: String, _ key: borrowing FirstAccessKey?
  ) -> Bool {
    let isWritten = StandardOutput.write(
      """
      identity-service is listening on \(address.url)
        region      \(region)
        keys        \(address.client)/.well-known/jwks_uri
        health      \(address.health)
        metrics     \(address.metrics ?? "not served: they need --management-address, or --public-path /metrics")

      """)
    return isWritten
      && key?.print(
        before: """
            export AWS_DEFAULT_REGION=\(region)

          For example:

            aws cognito-identity create-identity-pool --endpoint-url \(address.client) --identity-pool-name mine \\
              --no-allow-unauthenticated-identities --developer-provider-name login.my.app

          """) ?? true
  }
}
