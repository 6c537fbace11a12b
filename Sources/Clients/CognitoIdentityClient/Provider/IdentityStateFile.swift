internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Stores an identity in a file that only its owner can read.
public struct IdentityStateFile: IdentityStateStore {
  private let file: PrivateFile

  /// Creates a store.
  ///
  /// - Parameter path: the file, in an existing folder.
  public init(path: String) { file = PrivateFile(path: path) }

  /// Reads the file.
  ///
  /// - Returns: the stored identity; nil without a file.
  /// - Throws: `stateUnavailable`.
  public func load() throws(IdentityClientError) -> StoredIdentity? {
    let read: [UInt8]?
    do { read = try file.read(limit: 4_096) } catch { throw .stateUnavailable(error.reason) }
    guard let read else { return nil }
    guard let object = (try? JSONDocument(read))?.object(),
      let pool = object["identityPoolId"]?.string, let identity = object["identityId"]?.string
    else { throw .stateUnavailable("\(file.path) is not a stored identity") }
    return StoredIdentity(poolID: pool, identityID: identity)
  }

  /// Replaces the file.
  ///
  /// - Parameter state: the identity; nil removes the file.
  /// - Throws: `stateUnavailable`.
  public func save(_ state: StoredIdentity?) throws(IdentityClientError) {
    do throws(PrivateFile.Failure) {
      guard let state else { return try file.remove() }
      let object: JSONObject = [
        "identityPoolId": .string(state.poolID), "identityId": .string(state.identityID),
      ]
      try file.replace(with: JSONWriter.write(object).span, isShared: true)
    } catch {
      throw .stateUnavailable(error.reason)
    }
  }
}
