package import Records
package import TokenLifetime
package import TokenSecurityBase

/// The state of a sign-in between two calls. It travels sealed: as `Session`, or in a secret block.
///
/// A user who does not exist has one too, which is as long and behaves alike, and which no answer satisfies.
package struct SignInSession: StoredFields {
  /// 16 random bytes, of which a store notes that the session was used up.
  package var id: [UInt8] = []
  package var poolID = ""
  package var clientID = ""
  /// The challenge that the next call must answer; for `SignUp` and `ConfirmSignUp` the operation's name.
  package var challenge = ""
  /// The user's `sub`; empty for a user who does not exist.
  package var sub = ""
  /// `USERNAME` and `USER_ID_FOR_SRP` of challenges.
  package var shownName = ""
  /// The canonical form of the name that was typed.
  package var typedName = ""
  /// The key under which wrong passwords and codes of the user, or of the unknown name, are counted.
  package var attemptKey: [UInt8] = []
  /// A digest of the user name that a user who does not exist has or would have.
  package var nameDigest: [UInt8] = []
  /// ``User/passwordDigest``: a new password ends the session.
  package var passwordDigest: [UInt8] = []
  package var end = Timestamp(seconds: 0)
  /// True where the client got the session as `Session`, and not only in a secret block.
  package var isIssued = false
  /// True where its beginning was counted, which its tokens take back.
  package var isCounted = false
  /// True in a flow of custom challenges.
  package var isCustomFlow = false
  /// True once a new password replaced a temporary one.
  package var hasNewPassword = false
  /// True once a device was proved.
  package var isDeviceProven = false
  /// True for a code that is the first factor.
  package var isFirstFactor = false
  /// The device that the client named.
  package var deviceKey: String?
  /// The user's choices, in `SELECT_CHALLENGE` and `SELECT_MFA_TYPE`.
  package var choices: [String] = []
  /// True once a software token was verified, in `MFA_SETUP`.
  package var isFactorSetUp = false
  /// The answered challenges of a custom flow: names, results, metadata.
  package var history: [AnsweredChallenge] = []
  /// Parameters of the present challenge for VerifyAuthChallengeResponse.
  package var privateParameters: [ExactString: String] = [:]
  package var challengeMetadata: String?

  package init() {}

  /// True for a user who does not exist.
  package var isSimulated: Bool { sub.isEmpty }

  /// An answered challenge of a custom flow.
  package struct AnsweredChallenge: StoredFields {
    package var name = ""
    package var isRight = false
    package var metadata: String?

    package init() {}

    package init(_ name: String, isRight: Bool, metadata: String? = nil) {
      self.name = name
      self.isRight = isRight
      self.metadata = metadata
    }

    package mutating func fields(_ f: inout RowFields) {
      f.text("n", &name)
      f.flag("r", &isRight)
      f.optional("m", &metadata)
    }
  }

  package mutating func fields(_ f: inout RowFields) {
    f.bytes("i", &id)
    f.text("p", &poolID)
    f.text("c", &clientID)
    f.text("n", &challenge)
    f.text("s", &sub)
    f.text("u", &shownName)
    f.text("t", &typedName)
    f.bytes("a", &attemptKey)
    f.bytes("m", &nameDigest)
    f.bytes("v", &passwordDigest)
    f.time("e", &end)
    f.flag("issued", &isIssued)
    f.flag("counted", &isCounted)
    f.flag("custom", &isCustomFlow)
    f.flag("new", &hasNewPassword)
    f.flag("device", &isDeviceProven)
    f.flag("first", &isFirstFactor)
    f.optional("d", &deviceKey)
    f.texts("choices", &choices)
    f.flag("setUp", &isFactorSetUp)
    f.rows("history", &history)
    f.map("private", &privateParameters)
    f.optional("metadata", &challengeMetadata)
  }
}
