package import Records

/// An identity of a pool.
package struct IdentityKey: StoredFields, Equatable {
  /// The pool's id.
  package private(set) var poolID = ""
  /// The identity's id.
  package private(set) var identityID = ""

  package init() {}

  package init(poolID: String, identityID: String) {
    self.poolID = poolID
    self.identityID = identityID
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("identity", &identityID)
  }
}

/// A data set of an identity, by its name.
package struct DatasetKey: Sendable, Equatable {
  /// The identity.
  package let identity: IdentityKey
  /// The data set's name.
  package let name: String

  package init(_ identity: IdentityKey, name: String) {
    self.identity = identity
    self.name = name
  }
}
