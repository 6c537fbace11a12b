internal import OpenIDConnect
internal import ServiceHosting
internal import TokenSecurityBase

extension ServiceConfiguration {
  /// Maximum size in bytes of a request's body: ten tokens of 50,000 characters and the rest of the request.
  static let bodyLimit = 1 << 20

  /// Checks the values of all settings.
  ///
  /// - Throws: `OperatingError` with the setting, the value and the rule.
  func check() throws {
    guard (self.certificate == nil) == (self.privateKey == nil) else {
      throw OperatingError("--certificate and --private-key must be set together")
    }
    if let data = self.data, data.isEmpty {
      throw OperatingError("the data folder is an empty text: set --data FOLDER")
    }
    try within(self.port, 0...65_535, "port")
    try within(self.rate, 0...1_000_000, "rate")
    try within(self.connections, 1...1_000_000, "connections")
    try within(self.connectionsPerAddress, 0...1_000_000, "connections-per-address")
    try within(self.requestTimeout, 1...86_400, "request-timeout")
    try within(self.responseTimeout, 1...86_400, "response-timeout")
    try within(self.idleTimeout, 1...86_400, "idle-timeout")
    try within(self.shutdownTimeout, 0...86_400, "shutdown-timeout")
    try within(self.rotation, 1...3_650, "rotation")
    try within(self.sessionRecheck, 0...3_600, "session-recheck")
    try within(self.certificateCheck, 1...86_400, "certificate-check")
    if let account = self.account, !account.isDigits(count: 12) {
      throw OperatingError("the account \(account.quoted) does not have 12 digits")
    }
    if let region = self.region { try Self.checkRegion(region) }
    guard HostName.isAddress(self.address) else {
      throw OperatingError("the address \(self.address.quoted) is not an IP address or a host name")
    }
    try within(self.passwordThreads, 0...1_024, "password-threads")
    try within(self.passwordWaiting, 1...1_000_000, "password-waiting")
    try within(self.storeConnections, 1...1_000, "store-connections")
    try within(self.storeWaiting, 1...1_000_000, "store-waiting")
    try within(self.storeTimeout, 1...600, "store-timeout")
    _ = try database?.settings()
    try checkIssuer()
    try checkUserPoolIssuer()
    for host in self.hosts { try check(host: host) }
    try checkAuthorities()
    try checkMessages()
    for (list, name) in [
      (self.hosts, "host"), (self.publicPaths, "public-path"), (self.trustedProxies, "trusted-proxy"),
      (self.allowedOrigins, "allowed-origin"),
    ] {
      guard list.count <= 100 else { throw OperatingError("the setting \(name) has more than 100 values") }
    }
    _ = try managementListener()
    _ = try AllowedOrigins(self.allowedOrigins)
    _ = try publicAddress()
    _ = try proxies()
    for path in self.publicPaths where ManagementPath(path) == nil {
      throw OperatingError("the public path \(path.quoted) is not one of \(ManagementPath.list)")
    }
  }

  private func within(_ value: Int, _ allowed: ClosedRange<Int>, _ name: String) throws {
    guard allowed.contains(value) else {
      throw OperatingError(
        "the setting \(name) is \(value); it must be \(allowed.lowerBound) to \(allowed.upperBound)")
    }
  }

  static func checkRegion(_ region: String) throws {
    do throws(AWSNameError) { _ = try AWSRegion(region) } catch { throw OperatingError("region: \(error)") }
    // An id has at most 55 characters: the region, a colon and a UUID.
    guard region.utf8.count <= 18 else {
      throw OperatingError("the region \(region.quoted) has more than 18 characters")
    }
  }

  private func checkIssuer() throws {
    guard let issuer = self.issuer else { return }
    // OpenID Connect Core 1.0 section 2: https, and neither query nor fragment.
    guard let url = try? HTTPURL(issuer), url.isSecure, url.query == nil else {
      throw OperatingError("the issuer \(issuer.quoted) must be an https URL without query and fragment")
    }
  }

  /// A pool's id follows after a slash, and the service has its documents there. Plain HTTP is for this machine
  /// alone.
  private func checkUserPoolIssuer() throws {
    guard let issuer = self.userPoolIssuer else { return }
    guard let url = try? HTTPURL(issuer), url.isSecure || url.isLoopback, url.query == nil, url.path == "/",
      !issuer.hasSuffix("/")
    else {
      throw OperatingError(
        "the user-pool-issuer \(issuer.quoted) must be an https URL without path, query and fragment, or http on this machine"
      )
    }
  }

  private func check(host: String) throws {
    guard !host.isEmpty, let address = try? HTTPURL("https://" + host), address.path == "/",
      address.query == nil,
      HostName.isPlain(host)
    else {
      throw OperatingError("the host \(host.quoted) is not a host name with an optional port")
    }
  }

  /// Checks the settings of messages.
  ///
  /// - Throws: `OperatingError` with the rule.
  func checkMessages() throws {
    let senders = [self.messageFile, self.messageWebhook, self.mailProgram].compactMap { $0 }
    guard senders.count <= 1 else {
      throw OperatingError("only one of --message-file, --message-webhook and --mail-program can be set")
    }
    guard (self.messageWebhook == nil) == (self.messageSecret == nil) else {
      throw OperatingError("--message-webhook and --message-secret must be set together")
    }
    guard (self.mailProgram == nil) == (self.mailFrom == nil) else {
      throw OperatingError("--mail-program and --mail-from must be set together")
    }
  }
}
