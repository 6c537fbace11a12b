internal import TokenSecurityBase

/// An identity of a pool.
package struct IdentityPlace: Sendable, Equatable {
  /// The pool's id.
  package let poolID: String
  /// The identity's id.
  package let identityID: String

  /// Makes the place of an identity.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - identityID: the identity's id.
  package init(poolID: String, identityID: String) {
    self.poolID = poolID
    self.identityID = identityID
  }
}

/// A data set of an identity, by its name.
package struct DatasetPlace: Sendable, Equatable {
  /// The identity.
  package let identity: IdentityPlace
  /// The data set's name.
  package let name: String

  /// Makes the place of a data set.
  ///
  /// - Parameters:
  ///   - identity: the identity.
  ///   - name: the data set's name.
  package init(_ identity: IdentityPlace, name: String) {
    self.identity = identity
    self.name = name
  }
}
