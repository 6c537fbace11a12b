internal import HTTPExchange
internal import Synchronization

/// The places for bodies beyond the usual limit, which bound the memory that they take: 64 at a time, 8 of one address.
final class LargeBodies: Sendable {
  private struct State {
    var places = 0
    var byAddress: [ClientAddress: Int] = [:]
  }

  private let state = Mutex(State())
  private static let limit = 64
  private static let limitOfAddress = 8

  /// A place, which is given back when its last reference goes.
  final class Place: Sendable {
    private let bodies: LargeBodies
    private let address: ClientAddress

    fileprivate init(_ bodies: LargeBodies, _ address: ClientAddress) {
      self.bodies = bodies
      self.address = address
    }

    deinit { bodies.giveBack(address) }
  }

  /// Takes a place. Nil where none is free.
  func place(for address: ClientAddress) -> Place? {
    let isTaken = state.withLock { state in
      let count = state.byAddress[address, default: 0]
      guard state.places < Self.limit, count < Self.limitOfAddress else { return false }
      state.places += 1
      state.byAddress[address] = count + 1
      return true
    }
    return isTaken ? Place(self, address) : nil
  }

  private func giveBack(_ address: ClientAddress) {
    state.withLock { state in
      state.places -= 1
      let count = state.byAddress[address, default: 1] - 1
      state.byAddress[address] = count > 0 ? count : nil
    }
  }
}
