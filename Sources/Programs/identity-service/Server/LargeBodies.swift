internal import HTTPExchange
internal import TokenSecurityPlatform

/// The slots for calls whose request or response has more than the usual bytes. They bound the memory that those take.
///
/// Whoever claims an access key, whether it exists or not, has slots apart from those of identities: strangers can take
/// the former.
struct LargeBodies: Sendable {
  typealias Slots = CountedSlots<ClientAddress>
  typealias Slot = Slots.Slot

  /// For the credentials of identities, before their signature is verified.
  let ofIdentities = Slots(64, ofKey: 8)
  /// For all other calls.
  let ofOthers = Slots(16, ofKey: 4)
}
