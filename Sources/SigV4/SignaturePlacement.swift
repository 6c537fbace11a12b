public import TokenSecurityEncodings

/// Where a signature stands.
public enum SignaturePlacement: ExactString, Sendable, Hashable, CaseIterable {
  /// In the header `Authorization`.
  case header
  /// In the query: a presigned URL.
  case query
}
