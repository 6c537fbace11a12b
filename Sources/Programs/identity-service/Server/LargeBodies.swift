internal import HTTPExchange
internal import TokenSecurityPlatform

/// The places for calls whose request or response has more than the usual bytes. They bound the memory that those take.
///
/// Whoever claims an access key, whether it exists or not, has places apart from those of identities: strangers can take
/// the former.
struct LargeBodies: Sendable {
  typealias Places = CountedPlaces<ClientAddress>
  typealias Place = Places.Place

  /// For the credentials of identities, before their signature is verified.
  let ofIdentities = Places(64, ofKey: 8)
  /// For all other calls.
  let ofOthers = Places(16, ofKey: 4)
}
