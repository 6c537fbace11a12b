/// How large and how deep a JSON text may be.
public struct JSONLimits: Sendable, Hashable {
  /// The most bytes that are read.
  public var size: Int
  /// The most arrays and objects around a value. Never above ``highestDepth``.
  public var depth: Int

  /// Depths above this are lowered to it, so that the reader's own stack stays small.
  public static let highestDepth = 256

  /// Limits for a header, a token's claims or a key set: 1 MiB and 32 levels unless said otherwise.
  public init(size: Int = 1 << 20, depth: Int = 32) {
    self.size = min(size, Int(UInt32.max) - 1)
    self.depth = min(depth, Self.highestDepth)
  }
}
