/// A generator of reproducible numbers for property tests (SplitMix64, by Steele, Lea and Flood).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator. Equal seeds give equal numbers.
  public init(seed: UInt64) { state = Self.mixed(seed) }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Mixed also for the seed: otherwise the numbers of two seeds that follow each other would be the same ones, one later.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var value = number
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
