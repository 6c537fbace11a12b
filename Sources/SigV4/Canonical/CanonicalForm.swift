internal import TokenSecurityEncodings

/// How a service wants the path of a canonical request.
public struct CanonicalForm: Sendable, Hashable {
  /// How often the path is encoded.
  public enum PathEncoding: Sendable, Hashable {
    /// What stands on the wire is encoded once more, `%` among it: every service but S3.
    case twice
    /// What stands on the wire stays, and what should have been encoded is: S3.
    case once
  }

  /// How often the path is encoded.
  public var pathEncoding: PathEncoding
  /// True where `.`, `..` and empty segments are removed (RFC 3986 section 5.2.4).
  public var removesDotSegments: Bool

  /// A form of one's own.
  public init(pathEncoding: PathEncoding, removesDotSegments: Bool) {
    self.pathEncoding = pathEncoding
    self.removesDotSegments = removesDotSegments
  }

  /// Encoded twice, dot segments removed.
  public static let standard = CanonicalForm(pathEncoding: .twice, removesDotSegments: true)

  /// Encoded once and left as it is: a key may be called `a/../b` there.
  public static let s3 = CanonicalForm(pathEncoding: .once, removesDotSegments: false)

  /// The form that a service of this name wants.
  public static func of(service: String) -> CanonicalForm {
    ["s3", "s3express", "s3-object-lambda", "s3-outposts"].contains(service) ? .s3 : .standard
  }
}
