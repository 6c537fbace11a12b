internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Decides which addresses may be fetched. It sees each address before it is requested: configured ones,
/// issuers' descriptions, and the `jwks_uri` that a description names.
///
/// A service whose tenants choose issuers needs one: otherwise a tenant can make the service send requests
/// into its own network. With any rule but ``any``, errors do not say how an address responded; the log does.
public struct AddressRule: Sendable, Hashable {
  private let kind: Kind

  private enum Kind: Sendable, Hashable {
    case any
    case publicOnly
    case custom(Decision)
  }

  private final class Decision: Sendable, Hashable {
    let refusal: @Sendable (HTTPURL) -> String?
    init(_ refusal: @escaping @Sendable (HTTPURL) -> String?) { self.refusal = refusal }
    static func == (left: Decision, right: Decision) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Any address. For issuers that the operator configured.
  public static let any = AddressRule(kind: .any)

  /// Addresses whose host is a public name or a public IP address: no private, loopback, link-local,
  /// multicast or reserved address, no `localhost`, no name without a dot or below `local`, `internal`,
  /// `localhost` or `home.arpa`.
  ///
  /// A public name can resolve to a private address. The rule does not see that: limit the service's outgoing
  /// connections in the network as well, or in the proxy, which resolves the names of requests that go
  /// through it.
  public static let publicAddressesOnly = AddressRule(kind: .publicOnly)

  /// A custom rule.
  ///
  /// - Parameter refusal: returns why a URL must not be fetched, in a few words, or nil. It is called for
  ///   each fetch and must return quickly.
  public init(_ refusal: @escaping @Sendable (HTTPURL) -> String?) { kind = .custom(Decision(refusal)) }

  private init(kind: Kind) { self.kind = kind }

  /// True if errors must not say how an address responded.
  package var hidesResponses: Bool { kind != .any }

  /// Why `address` must not be fetched, or nil.
  package func refusal(of address: HTTPURL) -> String? {
    switch kind {
    case .any: nil
    case .publicOnly: address.isPublic ? nil : "it is not a public address"
    case .custom(let decision): decision.refusal(address)
    }
  }
}

extension HTTPURL {
  /// True if the host is a public IP address or a name that is not reserved for private use.
  var isPublic: Bool {
    if let address = ipAddress { return address.isPublic }
    let labels = host.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
    guard labels.count > 1, let last = labels.last else { return false }
    return !Self.privateLabels.contains(ExactString(last))
      && !host.hasSuffix(".home.arpa") && host != "home.arpa"
  }

  /// Top-level labels of private names, by standards or convention: `svc` is for services in a Kubernetes
  /// cluster, `localdomain4` and `localdomain6` are in the hosts file of some Linux distributions.
  private static let privateLabels: Set<ExactString> = [
    "local", "internal", "localhost", "localdomain", "localdomain4", "localdomain6", "intranet", "lan",
    "corp", "home", "private", "svc",
  ]
}
