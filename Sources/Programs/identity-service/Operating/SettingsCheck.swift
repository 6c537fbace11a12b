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
    guard (certificate == nil) == (privateKey == nil) else {
      throw OperatingError("--certificate and --private-key must be set together")
    }
    if let data, data.isEmpty { throw OperatingError("the data folder is an empty text: set --data FOLDER") }
    try within(port, 0...65_535, "port")
    try within(rate, 0...1_000_000, "rate")
    try within(connections, 1...1_000_000, "connections")
    try within(connectionsPerAddress, 0...1_000_000, "connections-per-address")
    try within(requestTimeout, 1...86_400, "request-timeout")
    try within(responseTimeout, 1...86_400, "response-timeout")
    try within(idleTimeout, 1...86_400, "idle-timeout")
    try within(shutdownTimeout, 0...86_400, "shutdown-timeout")
    try within(rotation, 1...3_650, "rotation")
    try within(sessionRecheck, 0...3_600, "session-recheck")
    try within(certificateCheck, 1...86_400, "certificate-check")
    if let account, !account.isDigits(count: 12) {
      throw OperatingError("the account \(account.quoted) does not have 12 digits")
    }
    if let region { try Self.checkRegion(region) }
    guard HostName.isAddress(address) else {
      throw OperatingError("the address \(address.quoted) is not an IP address or a host name")
    }
    try within(passwordThreads, 0...1_024, "password-threads")
    try within(passwordWaiting, 1...1_000_000, "password-waiting")
    try within(storeConnections, 1...1_000, "store-connections")
    try within(storeWaiting, 1...1_000_000, "store-waiting")
    try within(storeTimeout, 1...600, "store-timeout")
    _ = try database?.settings()
    try checkIssuer()
    try checkUserPoolIssuer()
    for host in hosts { try check(host: host) }
    try checkAuthorities()
    try checkMessages()
    for (list, name) in [
      (hosts, "host"), (publicPaths, "public-path"), (trustedProxies, "trusted-proxy"),
      (allowedOrigins, "allowed-origin"),
    ] {
      guard list.count <= 100 else { throw OperatingError("the setting \(name) has more than 100 values") }
    }
    _ = try managementListener()
    _ = try AllowedOrigins(allowedOrigins)
    _ = try publicAddress()
    _ = try proxies()
    for path in publicPaths where ManagementPath(path) == nil {
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
    guard let issuer else { return }
    // OpenID Connect Core 1.0 section 2: https, and neither query nor fragment.
    guard let url = try? HTTPURL(issuer), url.isSecure, url.query == nil else {
      throw OperatingError("the issuer \(issuer.quoted) must be an https URL without query and fragment")
    }
  }

  /// A pool's id follows after a slash, and the service has its documents there. Plain HTTP is for this machine
  /// alone.
  private func checkUserPoolIssuer() throws {
    guard let issuer = userPoolIssuer else { return }
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
    let senders = [messageFile, messageWebhook, mailProgram].compactMap { $0 }
    guard senders.count <= 1 else {
      throw OperatingError("only one of --message-file, --message-webhook and --mail-program can be set")
    }
    guard (messageWebhook == nil) == (messageSecret == nil) else {
      throw OperatingError("--message-webhook and --message-secret must be set together")
    }
    guard (mailProgram == nil) == (mailFrom == nil) else {
      throw OperatingError("--mail-program and --mail-from must be set together")
    }
  }
}
