/// Limits of a request's head, checked before any work that grows with its size.
public struct RequestLimits: Sendable, Hashable {
  /// Maximum size of a path in bytes.
  public var path: Int
  /// Maximum size of a query in bytes.
  public var query: Int
  /// Maximum number of headers.
  public var headerCount: Int
  /// Maximum size in bytes of all header names and values together.
  public var headerBytes: Int

  /// Creates limits. Default: 16 KiB of path, 64 KiB of query, 256 headers of 64 KiB together.
  public init(
    path: Int = 16_384, query: Int = 65_536, headerCount: Int = 256, headerBytes: Int = 65_536
  ) {
    self.path = path
    self.query = query
    self.headerCount = headerCount
    self.headerBytes = headerBytes
  }
}
