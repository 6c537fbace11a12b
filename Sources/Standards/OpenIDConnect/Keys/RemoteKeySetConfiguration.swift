public import HTTPExchange
internal import JOSE
internal import TokenLifetime

/// How a remote key set is fetched and cached. Durations other than ``timeout`` count in whole seconds of a clock; a
/// fraction is dropped, and a wait may be shorter by less than a second.
public struct RemoteKeySetConfiguration: Sendable, Hashable {
  /// The time limit of one fetch. Default: 5 seconds.
  public var timeout: Duration
  /// The maximum size of a response, in bytes. Default: 256 KiB.
  public var sizeLimit: Int
  /// The maximum number of keys in a set; larger sets are refused. Default: 256. `JWKSet.keyLimit` applies as
  /// well.
  public var keyLimit: Int
  /// The lifetime of a set whose response has no `max-age`. Default: 15 minutes.
  public var defaultLifetime: Duration
  /// The minimum lifetime, so that not every token costs a fetch. Default: 1 minute.
  public var shortestLifetime: Duration
  /// The maximum lifetime without a new fetch. Default: 24 hours.
  public var longestLifetime: Duration
  /// How long expired keys are still used while fetches fail. Default: 1 hour.
  public var grace: Duration
  /// The minimum time between two fetches for unknown key ids. Default: 10 seconds.
  public var coolDown: Duration
  /// The wait after the first failed fetch; it doubles with each further failure. Default: 1 second.
  public var firstBackOff: Duration
  /// The longest wait after a failed fetch. Default: 1 minute.
  public var longestBackOff: Duration
  /// Whether `http` URLs of this machine may be fetched. Plain HTTP to other machines is always refused.
  /// Default: false.
  public var allowsPlainLoopback: Bool
  /// Decides which addresses may be fetched, including the `jwks_uri` of provider metadata. Default:
  /// `AddressRule.any`. Services whose tenants choose issuers need `AddressRule.publicAddressesOnly` or a
  /// custom rule.
  public var addresses: AddressRule

  /// The default configuration.
  public init() {
    timeout = .seconds(5)
    sizeLimit = 256 << 10
    keyLimit = 256
    defaultLifetime = .seconds(900)
    shortestLifetime = .seconds(60)
    longestLifetime = .seconds(86_400)
    grace = .seconds(3_600)
    coolDown = .seconds(10)
    firstBackOff = .seconds(1)
    longestBackOff = .seconds(60)
    allowsPlainLoopback = false
    addresses = .any
  }

  /// The lifetime of a response in seconds, within the limits.
  package func lifetime(_ control: CacheControl) -> Int64 {
    let shortest = shortestLifetime.wholeSeconds
    guard !control.forbidsCaching else { return shortest }
    return min(
      max(control.freshSeconds ?? defaultLifetime.wholeSeconds, shortest), longestLifetime.wholeSeconds)
  }

  /// Refuses plain HTTP to another machine, and addresses that ``addresses`` refuses.
  func check(_ address: HTTPURL) throws(FetchError) {
    guard address.isSecure || address.isLoopback && allowsPlainLoopback else {
      throw .transport(.notSecure(address: address.description))
    }
    if let reason = addresses.refusal(of: address) {
      throw .transport(.addressRefused(address: address.description, reason: reason))
    }
  }

  /// Why keys at a location can never be fetched; nil if they can.
  package func refusal(of location: KeySetLocation) -> FetchError? {
    do throws(FetchError) {
      switch location.source {
      case .address(let address): try check(address)
      case .issuer(let issuer):
        if let address = try? ProviderMetadata.address(issuer: issuer) { try check(address) }
      case .undetermined: break
      }
      return nil
    } catch {
      return error
    }
  }

  /// The error that callers get. With an address rule it does not say how an address responded: a tenant who
  /// chooses addresses could otherwise probe the service's network.
  func shown(_ error: FetchError) -> FetchError {
    guard addresses.hidesResponses else { return error }
    switch error {
    case .transport(.notSecure), .transport(.addressRefused): return error
    default: return .failed
    }
  }

  /// The wait after `failures` consecutive failures, in seconds.
  func backOff(afterFailures failures: Int) -> Int64 {
    // The shift is bounded, so it cannot overflow.
    let factor: Int64 = 1 << Int64(min(max(failures - 1, 0), 20))
    return min(firstBackOff.wholeSeconds.saturatingProduct(factor), longestBackOff.wholeSeconds)
  }
}
