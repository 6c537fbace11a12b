public import SecureRemotePassword
internal import TokenSecurityCrypto

/// The server's numbers of one sign-in that do not depend on who comes: b and g^b, the dearest of the server's powers.
/// Make some ahead of time.
public struct CognitoServerKey: ~Copyable, Sendable {
  let privateKey: Number
  let power: Number

  /// Draws b, of 512 bits, and computes g^b.
  ///
  /// Throws `randomUnavailable`, `libraryFailure`.
  public init() throws(SRPError) {
    let bits = SRPGroup(try CognitoKeySchedule.group).exponentBits
    try self.init(SRPError.of { () throws(CryptoError) in try Number.random(bits: bits) })
  }

  /// The same with b given, for published values.
  init(privateKey: borrowing SecretBytes) throws(SRPError) {
    try self.init(SRPError.of { () throws(CryptoError) in try Number(privateKey) })
  }

  private init(_ privateKey: consuming Number) throws(SRPError) {
    let group = try CognitoKeySchedule.group
    let power: Number
    do { power = try group.power(ofGenerator: privateKey) } catch { throw SRPError(error) }
    self.power = power
    self.privateKey = privateKey
  }
}

/// The server's side of sign-ins to a user pool: challenges for users and devices, and the verification of answers.
///
/// ```swift
/// let server = try CognitoSignInServer(userPoolID: id, simulatedUsers: simulatedUsers, secretBlocks: blocks)
/// let key = try CognitoServerKey()                                              // ahead of time
/// let challenge = try await server.challenge(request, client: app, user: record, key: key)
/// let user = try await server.verify(response, client: app)                     // who has proved the password
/// ```
///
/// A user who does not exist (`user: nil`) gets a challenge that cannot be told from another's, for which no answer
/// holds.
public struct CognitoSignInServer: Sendable {
  /// How old challenges and timestamps may be, in whole seconds; a fraction is dropped.
  public struct Policy: Sendable, Hashable {
    /// How long a challenge can be answered: five minutes.
    public var challengeLifetime = Duration.seconds(300)
    /// How old a timestamp may be: five minutes.
    public var timestampAge = Duration.seconds(300)
    /// How far a timestamp may lie in the future: one minute.
    public var timestampLead = Duration.seconds(60)

    public init() {}

    /// When a challenge that is made now can no longer be answered.
    func end(of now: Timestamp) -> Timestamp {
      Timestamp(seconds: now.seconds.saturatingSum(challengeLifetime.wholeSeconds))
    }

    /// Refuses a timestamp that is not of now.
    func check(_ instant: Timestamp, at now: Timestamp) throws(SRPError) {
      // No difference of two timestamps overflows.
      let age = now.seconds - instant.seconds
      guard age <= timestampAge.wholeSeconds else {
        throw .timestampStale(age: .seconds(age), limit: timestampAge)
      }
      guard -age <= timestampLead.wholeSeconds else {
        throw .timestampAhead(by: .seconds(-age), limit: timestampLead)
      }
    }
  }

  /// The pool's id.
  public let userPoolID: String
  /// How old things may be.
  public let policy: Policy

  let poolName: String
  let simulatedUsers: CognitoSimulatedUsers
  let secretBlocks: any CognitoSecretBlocks

  /// Throws `userPoolIDMalformed`.
  public init(
    userPoolID: String, simulatedUsers: CognitoSimulatedUsers, secretBlocks: any CognitoSecretBlocks,
    policy: Policy = Policy()
  ) throws(SRPError) {
    poolName = try CognitoSRPIdentity.poolName(userPoolID)
    self.userPoolID = userPoolID
    self.simulatedUsers = simulatedUsers
    self.secretBlocks = secretBlocks
    self.policy = policy
  }
}
