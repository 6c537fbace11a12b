internal import ArgumentParser
internal import Logging
internal import TokenSecurityBase

/// The service's settings. Each is declared here only: its name, default and help text.
///
/// The property `requestTimeout` is the flag `--request-timeout`, the variable
/// `IDENTITY_SERVICE_REQUEST_TIMEOUT` of the environment and the member `requestTimeout` of the settings
/// file. The flag of a list is its singular: `--host`.
struct ServiceConfiguration: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "A JSON file with settings, for instance {\"port\": 8008, \"hosts\": [\"id.example\"]}.",
      valueName: "file"),
    completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the database and the master key. It is made if it does not exist. serve without this option and --store: data in STATE_DIRECTORY, which systemd sets. demo without it: a temporary folder.",
      valueName: "folder"),
    completion: .directory)
  var data: String?

  @Option(help: "The address to listen on.")
  var address = "127.0.0.1"

  @Option(help: "The port. 0: any free port, which demo takes without this option.")
  var port = 8_008

  @Option(
    help:
      "The region in ids and in the signatures of calls. The first start stores it. (default: that of the data, at first us-east-1)"
  )
  var region: String?

  @Option(
    help:
      "The account in ARNs, 12 digits. The first start stores it. (default: that of the data, at first 123456789012)"
  )
  var account: String?

  @Option(
    help:
      "The issuer (iss) of tokens. The first start stores it. (default: that of the data, at first --public-url, or https://cognito-identity.amazonaws.com)"
  )
  var issuer: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file with the certificate chain for TLS. Needs --private-key.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(
    help: ArgumentHelp("A PEM file with the certificate's private key.", valueName: "file"),
    completion: .file())
  var privateKey: String?

  @Option(
    name: .customLong("host"),
    help:
      "A host name of the service, with the port if not the default. Signed calls to other hosts are refused."
  )
  var hosts: [String] = []

  @Option(
    help: ArgumentHelp(
      "A PEM file with the only trusted roots for login providers' certificates.", valueName: "file"),
    completion: .file())
  var authorities: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file of mode 600 with the login providers that are asked about opaque access tokens: {\"graph.facebook.com\": {\"appId\": …, \"appSecret\": …}, \"www.amazon.com\": {}}.",
      valueName: "file"), completion: .file())
  var introspection: String?

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

  // MARK: Management, proxies and certificates

  @Option(
    help:
      "HOST:PORT of a second listener for /health/live, /health/ready, /version and /metrics, which are then not on the public address."
  )
  var managementAddress: String?

  @Option(
    name: .customLong("public-path"),
    help: "A path of the management address that the public address serves too, for instance /metrics.")
  var publicPaths: [String] = []

  @Option(
    help:
      "The URL under which clients reach the service, for instance through a TLS proxy: the host of signed calls, the address in documents, and the default issuer."
  )
  var publicUrl: String?

  @Option(
    name: .customLong("trusted-proxy"),
    help:
      "A range of addresses (CIDR) of proxies, from which X-Forwarded-For and Forwarded are accepted. Limits and logs then use the client's address."
  )
  var trustedProxies: [String] = []

  @Option(help: "The seconds between checks whether the certificate's files have changed.")
  var certificateCheck = 60

  // MARK: Messages and functions

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

  // MARK: The database of several nodes

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

  // MARK: User pools

  @Option(
    help:
      "The issuer (iss) of user pools' tokens without the slash and the pool's id. The first start stores it. (default: that of the data, at first --public-url, or https://cognito-idp.REGION.amazonaws.com)"
  )
  var userPoolIssuer: String?

  @Option(
    name: .customLong("allowed-origin"),
    help:
      "A web origin whose pages may call the service, for instance https://app.example, or * for all. Without it none may."
  )
  var allowedOrigins: [String] = []

  @Option(help: "The threads that compute with passwords. 0: one for each processor.")
  var passwordThreads = 0

  @Option(help: "The most calls that wait for these threads. Further calls are refused.")
  var passwordWaiting = 512

  private static let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
}
