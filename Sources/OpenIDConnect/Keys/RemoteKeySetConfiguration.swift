public import HTTPExchange
internal import JOSE
internal import TokenLifetime

/// How a key set that lies elsewhere is fetched, and how long it is held.
public struct RemoteKeySetConfiguration: Sendable, Hashable {
  /// The longest that one fetch may take; 5 seconds unless said otherwise.
  public var timeout: Duration
  /// The most bytes that an answer may have; 256 KiB unless said otherwise.
  public var sizeLimit: Int
  /// The most keys that a set may have. Sets with more are refused. Default: 256; no set may
  /// have more than `JWKSet.keyLimit`.
  public var keyLimit: Int
  /// How long a set is cached if the response does not say. Default: 15 minutes. This and the durations below count in
  /// whole seconds; a fraction is dropped.
  public var defaultLife: Duration
  /// The shortest time that a set is cached, so that not every token costs a fetch. Default: 1 minute.
  public var shortestLife: Duration
  /// The longest time that a set is cached without a new fetch. Default: 24 hours.
  public var longestLife: Duration
  /// How long expired keys are still used while they cannot be fetched. Default: 1 hour.
  public var grace: Duration
  /// The time between two fetches that are made because a token names an unknown key. Default: 10 seconds.
  public var coolDown: Duration
  /// The wait after the first failed fetch; it doubles with each further one. Default: 1 second.
  public var firstBackOff: Duration
  /// The longest wait after a failed fetch. Default: 1 minute.
  public var longestBackOff: Duration
  /// Whether `http` addresses of this very machine may be asked. Others never are.
  public var allowsPlainLoopback: Bool
  /// Decides which addresses may be fetched, the `jwks_uri` of issuers' descriptions included. Default:
  /// `AddressRule.any`. Services whose tenants choose issuers need `AddressRule.publicAddressesOnly` or a rule of
  /// their own.
  public var addresses: AddressRule

  /// Rules with their defaults.
  public init() {
    timeout = .seconds(5)
    sizeLimit = 256 << 10
    keyLimit = 256
    defaultLife = .seconds(900)
    shortestLife = .seconds(60)
    longestLife = .seconds(86_400)
    grace = .seconds(3_600)
    coolDown = .seconds(10)
    firstBackOff = .seconds(1)
    longestBackOff = .seconds(60)
    allowsPlainLoopback = false
    addresses = .any
  }

  /// The life of an answer, in seconds, within the bounds.
  package func life(_ control: CacheControl) -> Int64 {
    let shortest = shortestLife.wholeSeconds
    guard !control.mustNotBeKept else { return shortest }
    return min(max(control.freshSeconds ?? defaultLife.wholeSeconds, shortest), longestLife.wholeSeconds)
  }

  /// Refuses an address that must not be fetched: plain HTTP to another machine, or what ``addresses`` refuses.
  func check(_ address: HTTPURL) throws(FetchError) {
    guard address.isSecure || address.isLoopback && allowsPlainLoopback else {
      throw .transport(.notSecure(address: address.description))
    }
    if let reason = addresses.refusal(of: address) {
      throw .transport(.addressRefused(address: address.description, reason: reason))
    }
  }

  /// What a caller learns of `fault`: where a rule decides about addresses, not how they responded. Otherwise whoever
  /// chooses an address could ask through this service which of its network's addresses respond.
  func shown(_ fault: FetchError) -> FetchError {
    guard addresses.hidesResponses else { return fault }
    switch fault {
    case .transport(.notSecure), .transport(.addressRefused): return fault
    default: return .failed
    }
  }

  /// The wait after so many failures in a row, in seconds.
  func wait(afterFailures failures: Int) -> Int64 {
    // The shift is bounded, so that it cannot overflow however long a server is away.
    let factor: Int64 = 1 << Int64(min(max(failures - 1, 0), 20))
    return min(firstBackOff.wholeSeconds.saturatingProduct(factor), longestBackOff.wholeSeconds)
  }
}
