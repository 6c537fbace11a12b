/// The maximum size and nesting of a JSON text.
public struct JSONLimits: Sendable, Hashable {
  /// The maximum number of bytes.
  public var size: Int
  /// The maximum number of nested arrays and objects, at most ``highestDepth``.
  public var depth: Int

  /// The maximum of ``depth``, which bounds the reader's stack.
  public static let highestDepth = 256

  /// Limits. Larger depths are lowered to ``highestDepth``.
  ///
  /// - Parameters:
  ///   - size: bytes. Default: 1 MiB.
  ///   - depth: nested arrays and objects. Default: 32.
  public init(size: Int = 1 << 20, depth: Int = 32) {
    self.size = min(size, Int(UInt32.max) - 1)
    self.depth = min(depth, Self.highestDepth)
  }
}
