public import SecureRemotePassword
internal import TokenSecurityCrypto

/// The server's numbers that do not depend on the user: b, and g^b, the server's costliest exponentiation.
/// They can be computed ahead of time. Use each value for one challenge.
public struct CognitoServerKey: ~Copyable, Sendable {
  let privateKey: Number
  let power: Number

  /// Draws a random b of 512 bits and computes g^b.
  ///
  /// - Throws: `randomUnavailable`, `libraryFailure`.
  public init() throws(SRPError) {
    let bits = SRPGroup(try CognitoKeySchedule.group).exponentBits
    try self.init(privateKey: SRPError.of { () throws(CryptoError) in try Number.random(bits: bits) })
  }

  /// Same with a given b, for test vectors.
  init(privateKey: consuming Number) throws(SRPError) {
    let group = try CognitoKeySchedule.group
    let power: Number
    do { power = try group.power(ofGenerator: privateKey) } catch { throw SRPError(error) }
    self.power = power
    self.privateKey = privateKey
  }
}

/// The server's side of sign-ins to a user pool: creates challenges for users and devices, and verifies the
/// responses.
///
/// ```swift
/// let server = try CognitoSignInServer(userPoolID: pool, simulatedUsers: simulatedUsers, secretBlocks: blocks)
/// let key = try CognitoServerKey()                                              // ahead of time
/// let challenge = try await server.challenge(request, client: app, user: record, key: key)
/// let user = try await server.verify(response, client: app)                     // throws for a wrong password
/// ```
///
/// For a user who does not exist (`user: nil`), the challenge looks like any other, and no response to it is
/// accepted.
public struct CognitoSignInServer: Sendable {
  /// Time limits in whole seconds; fractions are dropped.
  public struct Policy: Sendable, Hashable {
    /// How long a challenge is valid. Default: five minutes.
    public var challengeLifetime = Duration.seconds(300)
    /// The maximum age of a timestamp. Default: five minutes.
    public var timestampAge = Duration.seconds(300)
    /// How far a timestamp may be in the future. Default: one minute.
    public var timestampLead = Duration.seconds(60)

    /// The default limits.
    public init() {}

    /// The last second of a challenge that is created now.
    func end(of now: Timestamp) -> Timestamp {
      Timestamp(seconds: now.seconds.saturatingSum(challengeLifetime.wholeSeconds))
    }

    /// Refuses a timestamp that is too old or too far in the future.
    func check(_ instant: Timestamp, at now: Timestamp) throws(SRPError) {
      // The difference of two timestamps never overflows.
      let age = now.seconds - instant.seconds
      guard age <= timestampAge.wholeSeconds else {
        throw .timestampStale(age: .seconds(age), limit: timestampAge)
      }
      guard -age <= timestampLead.wholeSeconds else {
        throw .timestampAhead(by: .seconds(-age), limit: timestampLead)
      }
    }
  }

  /// The user pool.
  public let userPoolID: String
  /// The time limits.
  public let policy: Policy

  let poolName: String
  let simulatedUsers: CognitoSimulatedUsers
  let secretBlocks: any CognitoSecretBlocks

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - userPoolID: the user pool, `REGION_NAME`.
  ///   - simulatedUsers: challenges for users who do not exist.
  ///   - secretBlocks: keeps open challenges.
  ///   - policy: the time limits.
  /// - Throws: `userPoolIDMalformed`.
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
