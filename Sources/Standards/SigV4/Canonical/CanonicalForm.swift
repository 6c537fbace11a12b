internal import TokenSecurityBase

/// The form of the path in a canonical request, which depends on the service.
public struct CanonicalForm: Sendable, Hashable {
  /// How often the path is percent-encoded.
  public enum PathEncoding: Sendable, Hashable {
    /// Encodes the path as it was sent once more, including `%`: every service but S3.
    case twice
    /// Keeps existing percent-encoding and encodes the rest: S3.
    case once
  }

  /// How often the path is percent-encoded.
  public var pathEncoding: PathEncoding
  /// Whether `.`, `..` and empty segments are removed (RFC 3986 section 5.2.4).
  public var removesDotSegments: Bool

  /// Creates a form.
  public init(pathEncoding: PathEncoding, removesDotSegments: Bool) {
    self.pathEncoding = pathEncoding
    self.removesDotSegments = removesDotSegments
  }

  /// Encodes twice and removes dot segments.
  public static let standard = CanonicalForm(pathEncoding: .twice, removesDotSegments: true)

  /// Encodes once and keeps dot segments, since the key of an object can be `a/../b`.
  public static let s3 = CanonicalForm(pathEncoding: .once, removesDotSegments: false)

  /// The form of a service.
  public static func of(service: String) -> CanonicalForm {
    ["s3", "s3express", "s3-object-lambda", "s3-outposts"].contains(service) ? .s3 : .standard
  }
}
