internal import ArgumentParser
internal import Logging
internal import TokenSecurityBase

// The settings of what the service does.

/// How much the service does, and how long it waits.
struct LimitOptions: ParsableArguments, Sendable {
  @Option(help: "Requests per second of each address, and signed calls of each access key. 0: no limit.")
  var rate = 1_000

  @Option(help: "The most connections.")
  var connections = 1_024

  @Option(
    help:
      "The most connections of one IPv4 address or IPv6 /64 network. For clients of a trusted proxy, the most requests at a time. 0: no limit."
  )
  var connectionsPerAddress = 256

  @Option(help: "The seconds in which a request must arrive completely.")
  var requestTimeout = 10

  @Option(help: "The seconds in which a client must accept a response.")
  var responseTimeout = 10

  @Option(help: "The seconds after which an idle connection is closed.")
  var idleTimeout = 60

  @Option(help: "The seconds that calls may take to finish at shutdown.")
  var shutdownTimeout = 10

  @Option(help: "The threads that compute with passwords. 0: one for each processor.")
  var passwordThreads = 0

  @Option(help: "The most calls that wait for these threads. Further calls are refused.")
  var passwordWaiting = 512
}

/// How long keys sign, and what is logged.
struct KeyOptions: ParsableArguments, Sendable {
  @Option(help: "The days for which a signing key signs.")
  var rotation = 30

  @Option(help: "The seconds after which APIs ask again whether a session was revoked.")
  var sessionRecheck = 60

  @Option(
    help: "The lowest level of log messages: \(levels). Each call is logged at debug. (default: info)",
    completion: .list(Logger.Level.allCases.map(\.rawValue)),
    transform: { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw ValidationError("it must be one of \(levels)")
      }
      return level
    })
  var logLevel = Logger.Level.info

  private static let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
}

/// What the service sends, and what it calls.
struct MessageOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "A file to which messages to users are appended, as lines of JSON with their codes. For development.",
      valueName: "file"), completion: .file())
  var messageFile: String?

  @Option(
    help: ArgumentHelp(
      "An https URL (on this machine also http) to which messages to users are posted. Needs --message-secret.",
      valueName: "url"))
  var messageWebhook: String?

  @Option(
    help: ArgumentHelp(
      "A file of mode 600 with the secret that signs what is posted to --message-webhook, at least 16 bytes.",
      valueName: "file"), completion: .file())
  var messageSecret: String?

  @Option(
    help: ArgumentHelp(
      "The absolute path of a program in sendmail's form that sends e-mail. Needs --mail-from.",
      valueName: "file"), completion: .file())
  var mailProgram: String?

  @Option(help: "The sender's address of e-mail.")
  var mailFrom: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file of mode 600 with the URL and the secret of each function that user pools call: {\"ARN\": {\"url\": …, \"secret\": …}}.",
      valueName: "file"), completion: .file())
  var webhooks: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file of mode 600 that says how push messages are sent to devices: {\"sns\": {}} or {\"webhook\": {\"url\": …, \"secret\": …}}.",
      valueName: "file"), completion: .file())
  var push: String?
}

/// The database of several nodes.
struct NodeOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The address of a PostgreSQL database for any number of nodes, in place of --data: postgresql://user@host/database. Needs --master-key.",
      valueName: "url"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "A file with the database's password. Without it: IDENTITY_SERVICE_STORE_PASSWORD or PGPASSWORD of the environment.",
      valueName: "file"), completion: .file())
  var storePasswordFile: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file with the only trusted roots for the database's certificate.", valueName: "file"),
    completion: .file())
  var storeAuthorities: String?

  @Option(
    help: ArgumentHelp(
      "A file of mode 600 with the master key of all nodes on the database, 32 random bytes.",
      valueName: "file"), completion: .file())
  var masterKey: String?

  @Option(
    help: ArgumentHelp(
      "The connections to the database, besides one that listens for changes.", valueName: "count"))
  var storeConnections = 8

  @Option(
    help: ArgumentHelp("The most calls that wait for a connection to the database.", valueName: "count"))
  var storeWaiting = 1_024

  @Option(help: ArgumentHelp("The seconds that a call waits for the database.", valueName: "seconds"))
  var storeTimeout = 15
}
