internal import ArgumentParser
internal import CognitoIdentity
internal import Logging

/// Serves the pools of a data folder.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve identity pools from a data folder, and print how to call them.",
    discussion: """
      Settings come from flags, then the environment (IDENTITY_SERVICE_REQUEST_TIMEOUT=10), then the file of \
      --config ({"requestTimeout": 10}).

      The log is JSON lines on standard error. The first start makes a developer's access key and prints its \
      secret once. SIGTERM and SIGINT stop the service after the calls that have begun.
      """)

  @OptionGroup var flags: ServiceConfiguration

  func run() async throws {
    let configuration = try flags.completed()
    let opened = try OpenedService(configuration)
    let service = opened.service
    try await opened.run { address in
      opened.warn(address)
      // After the port is bound, so that a failed start leaves no key whose secret was not shown.
      let isNew = try service.store.read { rows throws(IdentityError) in try rows.accessKeys().isEmpty }
      let key = isNew ? PrintedKey(try await service.createAccessKey(note: "made at the first start")) : nil
      guard StandardOutput.write(Self.greeting(address.url, configuration, key)) else {
        if let key {
          try await service.store.write { rows throws(IdentityError) in try rows.removeAccessKey(key.id) }
        }
        throw OperatingError("standard output cannot be written; it shows the address and the first key")
      }
    }
  }

  private static func greeting(_ url: String, _ configuration: ServiceConfiguration, _ key: PrintedKey?)
    -> String
  {
    var text = """
      identity-service is listening on \(url)
        region      \(configuration.region)
        keys        \(url)/.well-known/jwks_uri
        health      \(url)/health
        metrics     \(url)/metrics

      """
    if let key {
      text += """

        A new developer's access key. Its secret is shown only once:

        \(key.exports)
          export AWS_DEFAULT_REGION=\(configuration.region)

        For example:

          aws cognito-identity create-identity-pool --endpoint-url \(url) --identity-pool-name mine \\
            --no-allow-unauthenticated-identities --developer-provider-name login.my.app

        """
    }
    return text
  }
}

/// A new access key as text.
struct PrintedKey: Sendable {
  let id: String
  let secret: String

  init(_ key: consuming IdentityPoolService.NewAccessKey) {
    id = key.id
    secret = key.secret.withBytes { bytes in
      var text = ""
      for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
      return text
    }
  }

  /// Shell commands that set the key.
  var exports: String { "  export AWS_ACCESS_KEY_ID=\(id)\n  export AWS_SECRET_ACCESS_KEY=\(secret)" }
}
