package import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// A code that was sent and is awaited.
package struct StoredCode: StoredFields, Hashable {
  package var poolID = ""
  package var sub = ""
  /// The purpose of the code; with pool and user the row's key.
  package var purpose = ""
  /// The keyed digest of code, purpose, user, attribute and value.
  package var digest: [UInt8] = []
  /// The attribute whose address the code was sent to.
  package var attribute = ""
  /// The address, which the code verifies.
  package var value = ""
  package var failures: Int64 = 0
  /// The id of the message with the code.
  package var message: String?
  package var end = Timestamp(seconds: 0)

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("sub", &sub)
    f.text("purpose", &purpose)
    f.bytes("digest", &digest)
    f.text("attribute", &attribute)
    f.text("value", &value)
    f.number("failures", &failures)
    f.optional("message", &message)
    f.time("end", &end)
  }
}

/// Attempts within a time, of a user or of an unknown name.
package struct AttemptRow: StoredFields, Hashable {
  package var poolID = ""
  /// The kind of counted attempts: `password`, `resend`, ...
  package var kind = ""
  /// A keyed digest of the user's `sub` or of the unknown name.
  package var key: [UInt8] = []
  package var count: Int64 = 0
  /// The first attempt that counts.
  package var first = Timestamp(seconds: 0)
  package var last = Timestamp(seconds: 0)
  package var end = Timestamp(seconds: 0)
  /// Where codes that replace a password came from.
  package var sources: [GuessSource] = []
  /// The full key of the unknown name whose codes are counted, where ``key`` is that of several; nil for users.
  package var owner: [UInt8]?

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("kind", &kind)
    f.bytes("key", &key)
    f.number("count", &count)
    f.time("first", &first)
    f.time("last", &last)
    f.time("end", &end)
    f.rows("places", &sources)
    f.optional("owner", &owner)
  }
}

/// Data that serves once. Each kind is named by its meaning and not by how it is stored or sent, so that it stays used
/// when the master key is replaced.
package enum SingleUse: ExactString, Sendable, Hashable, CaseIterable {
  /// A session, by its id, which is within what is sealed. A session of an earlier master key does not open.
  case session
  /// A secret block, by the id of its challenge, which is within what is sealed, too.
  case block
  /// A time step of a software token, by a digest whose key is the token's secret.
  case softwareTokenStep = "step"
}

/// A value of ``SingleUse`` that was used.
package struct UsedValue: StoredFields, Hashable {
  package var poolID = ""
  /// ``SingleUse``.
  package var kind = ""
  package var value: [UInt8] = []
  package var end = Timestamp(seconds: 0)

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("kind", &kind)
    f.bytes("value", &value)
    f.time("end", &end)
  }
}

/// A sign-in that waits for its device, for clients that send no session back.
package struct PendingSignIn: StoredFields, Hashable {
  package var poolID = ""
  package var clientID = ""
  package var sub = ""
  package var deviceKey = ""
  /// The sealed session.
  package var sealed: [UInt8] = []
  package var end = Timestamp(seconds: 0)

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("client", &clientID)
    f.text("sub", &sub)
    f.text("device", &deviceKey)
    f.bytes("sealed", &sealed)
    f.time("end", &end)
  }
}

/// A key that signs a pool's tokens.
package struct PoolSigningKey: StoredFields, Hashable {
  package var poolID = ""
  /// `id` or `access`.
  package var use = ""
  package var key = StoredSigningKey()

  package init() {}

  /// The name that the seal of a key authenticates.
  package static func sealName(pool: String, use: String, keyID: String) -> String {
    "\(pool)/\(use)/\(keyID)"
  }

  /// The name that the seal authenticates.
  package var sealName: String { Self.sealName(pool: poolID, use: use, keyID: key.keyID) }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("use", &use)
    key.fields(&f)
  }
}

/// A message that waits to be sent.
package struct OutboxRow: StoredFields, Hashable {
  package var poolID = ""
  package var id = ""
  /// The medium; messages of one medium do not wait for another one's.
  package var medium = ""
  /// The sealed message.
  package var sealed: [UInt8] = []
  package var created = Timestamp(seconds: 0)
  /// When it is tried next, and until when a node has leased it.
  package var due = Timestamp(seconds: 0)
  package var attempts: Int64 = 0
  package var end = Timestamp(seconds: 0)
  /// True for the message to a user who does not exist: it is removed where others are sent.
  package var isSimulated = false

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("id", &id)
    f.text("medium", &medium)
    f.bytes("sealed", &sealed)
    f.time("created", &created)
    f.time("due", &due)
    f.number("attempts", &attempts)
    f.time("end", &end)
    f.flag("simulated", &isSimulated)
  }
}
