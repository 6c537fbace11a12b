/// A set of algorithms in one word: a lookup touches no reference count.
struct AlgorithmBits: Sendable {
  private let bits: UInt32

  init(_ algorithms: some Sequence<Algorithm>) {
    bits = algorithms.reduce(0) { $0 | Self.bit($1) }
  }

  func contains(_ algorithm: Algorithm) -> Bool { bits & Self.bit(algorithm) != 0 }

  private static func bit(_ algorithm: Algorithm) -> UInt32 {
    switch algorithm {
    case .hs256: 1 << 0
    case .hs384: 1 << 1
    case .hs512: 1 << 2
    case .rs256: 1 << 3
    case .rs384: 1 << 4
    case .rs512: 1 << 5
    case .ps256: 1 << 6
    case .ps384: 1 << 7
    case .ps512: 1 << 8
    case .es256: 1 << 9
    case .es384: 1 << 10
    case .es512: 1 << 11
    case .es256k: 1 << 12
    case .edDSA: 1 << 13
    case .ed25519: 1 << 14
    case .ed448: 1 << 15
    }
  }
}
