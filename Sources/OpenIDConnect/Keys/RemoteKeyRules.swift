internal import TokenSecurityEncodings
internal import JOSE

/// How a key set that lies elsewhere is fetched, and how long it is held.
public struct RemoteKeyRules: Sendable, Hashable {
  /// The longest that one fetch may take; 5 seconds unless said otherwise.
  public var timeout: Duration
  /// The most bytes that an answer may have; 256 KiB unless said otherwise.
  public var sizeLimit: Int
  /// The most keys that a set may have. Sets with more are refused. Default: 256; no set may
  /// have more than `JWKSet.keyLimit`.
  public var keyLimit: Int
  /// How long a set is held where the answer does not say, in seconds; 15 minutes unless said otherwise.
  public var defaultLife: Int64
  /// The shortest that a set is held, whatever the answer says, so that no token costs a fetch; 1 minute
  /// unless said otherwise, in seconds.
  public var shortestLife: Int64
  /// The longest that a set is held without being asked for again, in seconds; 24 hours unless said otherwise.
  public var longestLife: Int64
  /// How long keys go on serving behind their life while they cannot be fetched, in seconds; 1 hour unless
  /// said otherwise.
  public var grace: Int64
  /// The time between two fetches that are made because a token names a key that is not held, in seconds; 10
  /// unless said otherwise.
  public var coolDown: Int64
  /// How long to wait after the first failed fetch, in seconds; twice as long after each further one. 1 unless
  /// said otherwise.
  public var firstBackOff: Int64
  /// The longest wait after a failed fetch, in seconds; 1 minute unless said otherwise.
  public var longestBackOff: Int64
  /// Whether `http` addresses of this very machine may be asked. Others never are.
  public var allowsPlainLoopback: Bool
  /// Decides which addresses may be fetched, the `jwks_uri` of issuers' descriptions included. Default:
  /// ``AddressRule/any``. Services whose tenants choose issuers need ``AddressRule/publicAddressesOnly`` or a rule of
  /// their own.
  public var addresses: AddressRule

  /// Rules with their defaults.
  public init() {
    timeout = .seconds(5)
    sizeLimit = 256 << 10
    keyLimit = 256
    defaultLife = 900
    shortestLife = 60
    longestLife = 86_400
    grace = 3_600
    coolDown = 10
    firstBackOff = 1
    longestBackOff = 60
    allowsPlainLoopback = false
    addresses = .any
  }

  /// The life of an answer, in seconds, within the bounds.
  package func life(_ control: CacheControl) -> Int64 {
    guard !control.mustNotBeKept else { return shortestLife }
    return min(max(control.freshSeconds ?? defaultLife, shortestLife), longestLife)
  }

  /// Refuses an address that must not be fetched: plain HTTP to another machine, or what ``addresses`` refuses.
  func check(_ address: WebAddress) throws(FetchFault) {
    guard address.isSecure || address.isLoopback && allowsPlainLoopback else {
      throw .notSecure(address: address.description)
    }
    if let reason = addresses.refusal(of: address) {
      throw .addressRefused(address: address.description, reason: reason)
    }
  }

  /// What a caller learns of `fault`: where a rule decides about addresses, not how they responded. Otherwise whoever
  /// chooses an address could ask through this service which of its network's addresses respond.
  func shown(_ fault: FetchFault) -> FetchFault {
    guard addresses.hidesResponses else { return fault }
    switch fault {
    case .notSecure, .addressRefused: return fault
    default: return .failed
    }
  }

  /// The wait after so many failures in a row, in seconds.
  func wait(afterFailures failures: Int) -> Int64 {
    // The shift is bounded, so that it cannot overflow however long a server is away.
    min(firstBackOff.saturatingProduct(1 << Int64(min(max(failures - 1, 0), 20))), longestBackOff)
  }
}
