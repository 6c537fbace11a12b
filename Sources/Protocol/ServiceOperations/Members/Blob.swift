internal import TokenSecurityBase

/// Bytes of a member, which JSON has in base64.
public struct Blob: MemberValue, Hashable {
  /// The bytes.
  public var bytes: [UInt8]

  /// Bytes.
  ///
  /// - Parameter bytes: the bytes. Default: none.
  public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: BlobBounds) -> MemberKind { .blob(bounds) }
  /// The constraints of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: BlobBounds) -> [String] { bounds.constraints }

  /// Reads base64 with padding.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  public static func read(_ place: MemberPlace, _ bounds: BlobBounds, from m: inout Members) -> Blob? {
    guard let text = m.input.text(place) else {
      m.mismatch(at: place, type: "a Blob")
      return nil
    }
    let bytes: [UInt8]
    do {
      bytes = try Base64.decode(text)
    } catch {
      m.mismatch(at: place, type: "a Blob")
      return nil
    }
    let broken = bounds.broken(by: bytes.count)
    guard broken.isEmpty else {
      m.record(broken, at: place, isSensitive: true)
      return nil
    }
    return Blob(bytes)
  }

  /// Writes base64.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: BlobBounds, to m: inout Members) { m.output.text(Base64.string(bytes)) }
}
