internal import ArgumentParser
internal import TokenSecurityBase

// The settings of how the service is reached.

/// Where the data is, and what its first start stores.
struct StoredDataOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The folder of the database and the master key. It is made if it does not exist. serve without this option and --store: data in STATE_DIRECTORY, which systemd sets. demo without it: a temporary folder.",
      valueName: "folder"),
    completion: .directory)
  var data: String?

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
    help:
      "The issuer (iss) of user pools' tokens without the slash and the pool's id. The first start stores it. (default: that of the data, at first --public-url, or https://cognito-idp.REGION.amazonaws.com)"
  )
  var userPoolIssuer: String?
}

/// Where the service listens, and its certificate.
struct ListenerOptions: ParsableArguments, Sendable {
  @Option(help: "The address to listen on.")
  var address = "127.0.0.1"

  @Option(help: "The port. 0: any free port, which demo takes without this option.")
  var port = 8_008

  @Option(
    help: ArgumentHelp(
      "A PEM file with the certificate chain for TLS. Needs --private-key.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(
    help: ArgumentHelp("A PEM file with the certificate's private key.", valueName: "file"),
    completion: .file())
  var privateKey: String?

  @Option(help: "The seconds between checks whether the certificate's files have changed.")
  var certificateCheck = 60

  @Option(
    help:
      "HOST:PORT of a second listener for /health/live, /health/ready, /version and /metrics, which are then not on the public address."
  )
  var managementAddress: String?

  @Option(
    name: .customLong("public-path"),
    help: "A path of the management address that the public address serves too, for instance /metrics.")
  var publicPaths: [String] = []
}

/// How clients reach the service.
struct ReachingOptions: ParsableArguments, Sendable {
  @Option(
    help:
      "The URL under which clients reach the service, for instance through a TLS proxy: the host of signed calls, the address in documents, and the default issuer."
  )
  var publicUrl: String?

  @Option(
    name: .customLong("host"),
    help:
      "A host name of the service, with the port if not the default. Signed calls to other hosts are refused."
  )
  var hosts: [String] = []

  @Option(
    name: .customLong("trusted-proxy"),
    help:
      "A range of addresses (CIDR) of proxies, from which X-Forwarded-For and Forwarded are accepted. Limits and logs then use the client's address."
  )
  var trustedProxies: [String] = []

  @Option(
    name: .customLong("allowed-origin"),
    help:
      "A web origin whose pages may call the service, for instance https://app.example, or * for all. Without it none may."
  )
  var allowedOrigins: [String] = []
}

/// How logins at other providers are verified.
struct LoginProviderOptions: ParsableArguments, Sendable {
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
}
