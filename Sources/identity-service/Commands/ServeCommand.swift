internal import ArgumentParser
internal import CognitoIdentity
internal import Logging

/// Serves what is in a folder.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve identity pools from a folder, and print how to call them.",
    discussion: """
      What is printed is for people; the log, JSON lines, goes to standard error. On an empty folder a developer's access
      key is made, and its secret printed this once. SIGTERM ends the service when it has finished what it began.
      """)

  @OptionGroup var options: ServingOptions

  func run() async throws {
    let configuration = try await options.configuration()
    let opened = try OpenedService(configuration)
    let service = opened.service
    try await opened.run { place in
      opened.warn(place)
      // The port is bound: a start that fails before leaves no key that was never shown.
      let isNew = try service.store.read { rows throws(IdentityError) in try rows.accessKeys().isEmpty }
      let key = isNew ? PrintedKey(try await service.createAccessKey(note: "made at the first start")) : nil
      guard StandardOutput.write(Self.greeting(place.url, configuration, key)) else {
        if let key {
          try await service.store.write { rows throws(IdentityError) in try rows.removeAccessKey(key.id) }
        }
        throw OperatingError("standard output cannot be written, which the address and the first key go to")
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

        A developer's access key was made. Its secret is shown this once:

        \(key.exports)
          export AWS_DEFAULT_REGION=\(configuration.region)

        Then, for instance:

          aws cognito-identity create-identity-pool --endpoint-url \(url) --identity-pool-name mine \\
            --no-allow-unauthenticated-identities --developer-provider-name login.my.app

        """
    }
    return text
  }
}

/// An access key as it is shown once.
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

  /// Lines for a shell.
  var exports: String { "  export AWS_ACCESS_KEY_ID=\(id)\n  export AWS_SECRET_ACCESS_KEY=\(secret)" }
}
