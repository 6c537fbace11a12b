internal import CognitoIdentity
internal import TokenSecurityBase

extension IdentityPoolOperations.Context {
  /// True for a developer, who may know which identities exist.
  var isDeveloper: Bool { if case .developer = caller { true } else { false } }
}

extension ReadTransaction<SyncError> {
  /// Checks that an identity exists and was not merged into another one.
  ///
  /// - Parameters:
  ///   - key: the identity.
  ///   - context: the call.
  ///   - isList: true for operations that never answer that something does not exist.
  /// - Throws: the refusals of an `IdentityError`, `poolUnknown`, `identityUnknown` and `identityDisabled`;
  ///   `callerForbidden` instead of the first two for the identity's own credentials, and for lists.
  func require(_ key: IdentityKey, _ context: IdentityPoolOperations.Context, isList: Bool = false)
    throws(SyncError)
  {
    do throws(SyncError) {
      try require(key)
    } catch {
      switch error {
      case .identity(.poolUnknown), .identity(.identityUnknown):
        guard context.isDeveloper, !isList else {
          throw .callerForbidden(rule: "the identity does not exist")
        }
        throw error
      default: throw error
      }
    }
  }
}

extension DatasetName {
  /// The data set.
  var key: DatasetKey {
    DatasetKey(IdentityKey(poolID: poolID, identityID: identityID), name: name)
  }
}
