package import Records
package import TokenLifetime
internal import TokenSecurityBase

/// A group of a pool.
package struct UserGroup: StoredFields, Hashable {
  package var poolID = ""
  package var name = ""
  package var description: String?
  package var roleARN: String?
  /// The rank; 0 comes first, nil last.
  package var precedence: Int64?
  package var created = Timestamp(seconds: 0)
  package var modified = Timestamp(seconds: 0)

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("name", &name)
    f.optional("description", &description)
    f.optional("role", &roleARN)
    f.optional("precedence", &precedence)
    f.time("created", &created)
    f.time("modified", &modified)
  }
}

/// A user's membership in a group.
package struct GroupMembership: StoredFields, Hashable {
  package var poolID = ""
  package var group = ""
  package var sub = ""
  /// The user's canonical name.
  package var canonicalName = ""

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("group", &group)
    f.text("sub", &sub)
    f.text("user", &canonicalName)
  }
}

/// An address or name that a user signs in with besides the user name.
package struct UserAlias: StoredFields, Hashable {
  package var poolID = ""
  /// The attribute: `email`, `phone_number`, `preferred_username`.
  package var attribute = ""
  /// The value as it is looked up.
  package var value = ""
  /// The owner's canonical name.
  package var canonicalName = ""

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("attribute", &attribute)
    f.text("value", &value)
    f.text("user", &canonicalName)
  }
}

/// A device: given to a user at sign-in, and then confirmed.
package struct UserDevice: StoredFields, Hashable {
  package var poolID = ""
  package var sub = ""
  package var key = ""
  package var groupKey = ""
  package var name: String?
  /// The salt of its verifier; empty until it is confirmed.
  package var salt: [UInt8] = []
  /// The sealed verifier; nil until it is confirmed.
  package var sealed: [UInt8]?
  package var isRemembered = false
  package var lastAddress: String?
  package var created = Timestamp(seconds: 0)
  package var modified = Timestamp(seconds: 0)
  package var lastSignedIn = Timestamp(seconds: 0)
  /// Wrong proofs in a row.
  package var failures: Int64 = 0
  /// When a device that was not confirmed is forgotten; nil for a confirmed one.
  package var end: Timestamp?

  package init() {}

  package var isConfirmed: Bool { sealed != nil }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("sub", &sub)
    f.text("key", &key)
    f.text("group", &groupKey)
    f.optional("name", &name)
    f.bytes("salt", &salt)
    f.optional("verifier", &sealed)
    f.flag("remembered", &isRemembered)
    f.optional("address", &lastAddress)
    f.time("created", &created)
    f.time("modified", &modified)
    f.time("signedIn", &lastSignedIn)
    f.count("failures", &failures)
    f.optional("end", &end)
  }
}

/// A sign-in: what its tokens belong to.
package struct SignIn: StoredFields, Hashable {
  /// `origin_jti` of its tokens.
  package var id = ""
  package var poolID = ""
  package var clientID = ""
  package var sub = ""
  /// The user's canonical name.
  package var canonicalName = ""
  package var deviceKey: String?
  /// `auth_time`.
  package var signedIn = Timestamp(seconds: 0)
  /// The user's epoch at the sign-in.
  package var epoch: Int64 = 0
  /// The keyed digest of the refresh token.
  package var refreshDigest: [UInt8] = []
  /// How often the refresh token was replaced.
  package var generation: Int64 = 0
  /// When the last refresh tokens were replaced, the last one at the end. Those of more than a minute ago are
  /// left out at the next time.
  package var replaced: [Timestamp] = []
  package var isRevoked = false
  /// When the refresh token ends.
  package var end = Timestamp(seconds: 0)
  /// When the row can be removed: after its last access token.
  package var kept = Timestamp(seconds: 0)

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &id)
    f.text("pool", &poolID)
    f.text("client", &clientID)
    f.text("sub", &sub)
    f.text("user", &canonicalName)
    f.optional("device", &deviceKey)
    f.time("signedIn", &signedIn)
    f.number("epoch", &epoch)
    f.bytes("refresh", &refreshDigest)
    f.serial("generation", &generation)
    f.times("replaced", &replaced)
    f.flag("revoked", &isRevoked)
    f.time("end", &end)
    f.time("kept", &kept)
  }
}

/// A user who was removed while other rows were left.
package struct RemovedUser: StoredFields, Hashable {
  package var poolID = ""
  package var sub = ""

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("sub", &sub)
  }
}
