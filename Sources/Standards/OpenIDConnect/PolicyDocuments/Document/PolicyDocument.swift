public import JOSE

internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// A verifier's policy as JSON, for programs in other languages and for configuration files.
///
/// ```json
/// {
///   "version": 1,
///   "issuers": [
///     {"profile": "cognito-user-pool", "pool": "eu-west-1_Example01", "use": "access", "client_ids": ["1example"]}
///   ]
/// }
/// ```
///
/// Unknown members, names that occur twice and values out of range are refused. The guide of the C interface lists
/// the members.
public struct PolicyDocument: Sendable {
  /// The issuers.
  public let issuers: [TrustedIssuer]
  /// How keys are fetched.
  public let fetching: RemoteKeySetConfiguration
  /// A PEM file with the certificates that servers' certificates are verified with; nil for the machine's.
  public let trustRoots: String?
  /// The number of verified tokens that are kept for the next time; nil for none.
  public let cacheCapacity: Int?

  /// The version of the format.
  public static let version: Int64 = 1
  /// Maximum size of a document in bytes.
  public static let limit = 1 << 20
  /// Maximum number of issuers in a document.
  public static let issuerLimit = 256

  /// True if an issuer's keys are fetched.
  public var fetchesKeys: Bool {
    issuers.contains { if case .remote = $0.keys { true } else { false } }
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - json: the document, at most 1 MiB.
  ///   - keys: the keys of issuers whose `keys` are `"given"`. Default: none.
  ///   - path: the path of the document within a larger one, for errors. Default: it stands alone.
  /// - Throws: `json` for a text that is not JSON, `member` for a member that breaks a rule, `issuer` for
  ///   settings that an issuer's profile refuses.
  public init(_ json: [UInt8], keys: JWKSet? = nil, at path: String = "") throws(PolicyDocumentError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(json, limits: JSONLimits(size: Self.limit, depth: 16))
    } catch {
      throw .json(error, sentence: error.sentence(in: json))
    }
    guard document.kind(at: 0) == .object else { throw .member("the document", rule: "must be an object") }
    var object = DocumentObject(document.object(), at: path)
    guard try object.number("version", Self.version...Self.version) != nil else {
      throw object.refused("version", "is required and must be \(Self.version)")
    }
    var issuers: [TrustedIssuer] = []
    var usesGivenKeys = false
    for issuer in try object.objects("issuers", limit: Self.issuerLimit) {
      var issuer = issuer
      let source = try KeySource(&issuer, given: keys)
      if case .given = source { usesGivenKeys = true }
      issuers.append(try TrustedIssuer(&issuer, source))
      try issuer.refuseOthers()
    }
    // Keys that no issuer uses are a mistake in one of the two.
    if keys != nil, !usesGivenKeys {
      throw object.refused("issuers", "use no given keys, but keys were given")
    }
    self.issuers = issuers
    (fetching, trustRoots) = try Self.fetching(&object)
    for (index, issuer) in issuers.enumerated() {
      guard case .remote(let location) = issuer.keys else { continue }
      for location in [location] + issuer.separateKeys.values {
        guard let error = fetching.refusal(of: location) else { continue }
        let isPlain = !fetching.allowsPlainLoopback && error.codeText.isIdentical(to: "fetch_not_secure")
        let hint = isPlain ? #" by "fetching": {"allows_plain_loopback": true} of the policy"# : ""
        throw object.refused("issuers[\(index)]", "has keys that cannot be fetched: \(error)\(hint)")
      }
    }
    cacheCapacity = try object.number("cache_capacity", 1...1_000_000).map { Int($0) }
    try object.refuseOthers()
  }

  /// Reads the file of `trust_roots`, so that a wrong one is found before the first fetch.
  ///
  /// - Parameter path: the path of the document within a larger one. Default: it stands alone.
  /// - Throws: `member` for a file that cannot be read or has no certificates.
  package func checkFiles(at path: String = "") throws(PolicyDocumentError) {
    guard let trustRoots, let reason = Self.problem(ofRoots: trustRoots) else { return }
    let member = (path.isEmpty ? "" : path + ".") + "fetching.trust_roots"
    throw .member(member, rule: "is \(trustRoots.quoted), which cannot be used: \(reason)")
  }

  /// Why a file of certificates cannot be used; nil for one that can.
  package static func problem(ofRoots path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return SystemError.text }
    defer { close(file) }
    guard FileStatus(file)?.isRegularFile == true else { return "it is no regular file" }
    guard let text = Descriptor.readAll(file, limit: CertificateFile.limit) else { return SystemError.text }
    guard text.count <= CertificateFile.limit else { return "it has more than 16 MiB" }
    return CertificateFile.problem(text)
  }

  /// Reads how keys are fetched.
  private static func fetching(
    _ document: inout DocumentObject
  ) throws(PolicyDocumentError) -> (RemoteKeySetConfiguration, trustRoots: String?) {
    var configuration = RemoteKeySetConfiguration()
    guard var fetching = try document.object("fetching") else { return (configuration, nil) }
    if let timeout = try fetching.seconds("timeout", 1...60) { configuration.timeout = timeout }
    configuration.allowsPlainLoopback = try fetching.bool("allows_plain_loopback")
    if try fetching.bool("public_addresses_only") { configuration.addresses = .publicAddressesOnly }
    let roots = try fetching.text("trust_roots")
    try fetching.refuseOthers()
    return (configuration, roots)
  }
}
