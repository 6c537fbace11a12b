public import TokenSecurityBase

/// The place of a signature in a request.
public enum SignaturePlacement: ExactString, Sendable, Hashable, CaseIterable {
  /// The header `Authorization`.
  case header
  /// The query: a presigned URL.
  case query
}
