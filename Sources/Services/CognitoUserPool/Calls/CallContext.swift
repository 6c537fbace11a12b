package import HTTPExchange
public import TokenLifetime
internal import TokenSecurityPlatform

/// The context of a handler besides the input.
public struct CallContext: Sendable {
  /// Gives the present time.
  let clock: @Sendable () -> Timestamp
  /// The present time. A call may wait, for a function or for other calls: what ends is compared with the time at which
  /// it is looked at.
  public var time: Timestamp { clock() }
  /// The client's address, as text; nil where it is unknown.
  public var address: String?
  /// The client as limits count it; nil for the one with the address.
  package var counted: ClientAddress?
  var client: ClientAddress { counted ?? ClientAddress(address.flatMap { IPAddress($0[...]) }) }
  /// The objects that the call concerns, as its rules find out.
  public let subject = CallSubject()

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - address: the client's address.
  ///   - clock: gives the present time. Default: the system's clock.
  public init(address: String? = nil, clock: @escaping @Sendable () -> Timestamp = { .now }) {
    self.address = address
    self.clock = clock
  }

  /// Makes a context whose time stands still.
  ///
  /// - Parameters:
  ///   - time: the time of the call.
  ///   - address: the client's address.
  public init(at time: Timestamp, address: String? = nil) {
    self.init(address: address) { time }
  }
}
