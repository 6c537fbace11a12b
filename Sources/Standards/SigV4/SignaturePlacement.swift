public import TokenSecurityBase

/// The part of a request that has the signature.
public enum SignaturePlacement: ExactString, Sendable, Hashable, CaseIterable {
  /// The header `Authorization`.
  case header
  /// The query: a presigned URL.
  case query
}
