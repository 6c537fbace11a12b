/// An algorithm that libcrypto looked up. It is never freed or changed: a lookup costs more than hashing a
/// token.
@safe
struct FetchedAlgorithm: @unchecked Sendable {
  let pointer: OpaquePointer?

  @unsafe
  init(_ pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }
}
