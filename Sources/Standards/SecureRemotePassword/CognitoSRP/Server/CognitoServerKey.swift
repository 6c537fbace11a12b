internal import TokenSecurityCrypto

/// The server's numbers that do not depend on the user: b, and g^b, the server's costliest exponentiation.
/// They can be computed ahead of time. Each value is consumed by one challenge.
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
