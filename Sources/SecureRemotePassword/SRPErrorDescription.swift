package import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension SRPError: CustomStringConvertible {
  /// A refusal's stable code. A code never changes its meaning; new ones may come.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case publicKeyZero = "public_key_zero"
    case publicKeyTrivial = "public_key_trivial"
    case publicKeyTooLong = "public_key_too_long"
    case publicKeyOutOfRange = "public_key_out_of_range"
    case scramblingParameterZero = "scrambling_parameter_zero"
    case verifierOutOfRange = "verifier_out_of_range"
    case empty = "srp_part_empty"
    case tooLong = "srp_part_too_long"
    case hexadecimal = "number_not_hexadecimal"
    case base64 = "srp_part_base64"
    case numberNegative = "number_negative"
    case proofMismatch = "srp_proof_mismatch"
    case groupSize = "group_size"
    case groupNotPrime = "group_not_prime"
    case groupNotSafe = "group_not_safe"
    case generatorUnsuitable = "generator_unsuitable"
    case keyTooShort = "srp_key_too_short"
    case randomUnavailable = "srp_random_unavailable"
    case libraryFailure = "srp_library_failure"
    case userPoolIDMalformed = "user_pool_id_malformed"
    case deviceKeyMalformed = "device_key_malformed"
    case clientIDMalformed = "client_id_malformed"
    case challengeUnexpected = "challenge_unexpected"
    case parameterMissing = "challenge_parameter_missing"
    case messageMalformed = "challenge_malformed"
    case messageTooLarge = "challenge_too_large"
    case parametersTooMany = "challenge_parameters_too_many"
    case secretHashMissing = "secret_hash_missing"
    case secretHashUnexpected = "secret_hash_unexpected"
    case secretHashMismatch = "secret_hash_mismatch"
    case passwordMismatch = "password_mismatch"
    case timestampMalformed = "timestamp_malformed"
    case timestampStale = "timestamp_stale"
    case timestampAhead = "timestamp_ahead"
    case secretBlockInvalid = "secret_block_invalid"
    case secretBlockForeign = "secret_block_foreign"
    case secretBlockExpired = "secret_block_expired"
    case secretBlockReplayed = "secret_block_replayed"
    case challengesExhausted = "challenges_exhausted"
    case lockedOut = "locked_out"
  }

  /// The stable code.
  public var code: Code {
    switch self {
    case .publicKeyZero: .publicKeyZero
    case .publicKeyTrivial: .publicKeyTrivial
    case .publicKeyTooLong: .publicKeyTooLong
    case .publicKeyOutOfRange: .publicKeyOutOfRange
    case .scramblingParameterZero: .scramblingParameterZero
    case .verifierOutOfRange: .verifierOutOfRange
    case .empty: .empty
    case .tooLong: .tooLong
    case .hexadecimal: .hexadecimal
    case .base64: .base64
    case .numberNegative: .numberNegative
    case .proofMismatch: .proofMismatch
    case .groupSize: .groupSize
    case .groupNotPrime: .groupNotPrime
    case .groupNotSafe: .groupNotSafe
    case .generatorUnsuitable: .generatorUnsuitable
    case .keyTooShort: .keyTooShort
    case .randomUnavailable: .randomUnavailable
    case .libraryFailure: .libraryFailure
    case .userPoolIDMalformed: .userPoolIDMalformed
    case .deviceKeyMalformed: .deviceKeyMalformed
    case .clientIDMalformed: .clientIDMalformed
    case .challengeUnexpected: .challengeUnexpected
    case .parameterMissing: .parameterMissing
    case .messageMalformed: .messageMalformed
    case .messageTooLarge: .messageTooLarge
    case .parametersTooMany: .parametersTooMany
    case .secretHashMissing: .secretHashMissing
    case .secretHashUnexpected: .secretHashUnexpected
    case .secretHashMismatch: .secretHashMismatch
    case .passwordMismatch: .passwordMismatch
    case .timestampMalformed: .timestampMalformed
    case .timestampStale: .timestampStale
    case .timestampAhead: .timestampAhead
    case .secretBlockInvalid: .secretBlockInvalid
    case .secretBlockForeign: .secretBlockForeign
    case .secretBlockExpired: .secretBlockExpired
    case .secretBlockReplayed: .secretBlockReplayed
    case .challengesExhausted: .challengesExhausted
    case .lockedOut: .lockedOut
    }
  }

  /// One sentence that names the rule and the value that broke it. Foreign text in it is bounded and escaped; nothing
  /// secret is ever in it.
  public var description: String {
    switch self {
    case .publicKeyZero(let side):
      "\(side.rawValue) is a multiple of N, with which the key would be known to everyone (RFC 5054 section 2.5)"
    case .publicKeyTrivial(let side): "\(side.rawValue) is 1 or N - 1, whose powers are known to everyone"
    case .publicKeyTooLong(let side, let size, let limit):
      "\(side.rawValue) has \(size) bytes, and N has \(limit)"
    case .publicKeyOutOfRange(let side): "\(side.rawValue) is larger than N"
    case .scramblingParameterZero: "u, the hash of A and B, is zero"
    case .verifierOutOfRange: "the verifier is not from 2 to N - 2"
    case .empty(let part): "the \(part.rawValue) has no bytes"
    case .tooLong(let part, let size, let limit):
      "the \(part.rawValue) has \(size) bytes, and \(limit) are allowed"
    case .hexadecimal(let part, let at):
      "the \(part.rawValue) has something other than a hexadecimal digit at \(at)"
    case .base64(let part): "the \(part.rawValue) is not base64 with padding (RFC 4648 section 4)"
    case .numberNegative(let part): "the \(part.rawValue) is a negative number of two's complement"
    case .proofMismatch: "the other side's proof does not hold for this password"
    case .groupSize(let bits, let limits):
      "the prime has \(bits) bits, and from \(limits.lowerBound) to \(limits.upperBound) are allowed"
    case .groupNotPrime: "the modulus is no prime"
    case .groupNotSafe: "the prime N is not safe: (N - 1) / 2 is no prime"
    case .generatorUnsuitable: "the generator is not from 2 to N - 2"
    case .keyTooShort(let size, let least): "the key has \(size) bytes, and at least \(least) are needed"
    case .randomUnavailable: "the system has no random numbers to give"
    case .libraryFailure(let name): "libcrypto's \(name) failed"
    case .userPoolIDMalformed(let text): "the user pool id \(text.quoted) is not of the form REGION_NAME"
    case .deviceKeyMalformed(let text):
      "the device key \(text.quoted) is not a group, an underscore and a UUID of at most 55 characters together"
    case .clientIDMalformed(let text):
      "the app client id \(text.quoted) is not of 1 to 128 letters, digits, + or _"
    case .challengeUnexpected(let found, let expected):
      "the challenge is \(found.quoted), and \(expected) was expected"
    case .parameterMissing(let name): "the parameter \(name) is missing"
    case .messageMalformed(let what): "the message is malformed: \(what)"
    case .messageTooLarge(let size, let limit):
      "the message has \(size) bytes, and \(limit) are allowed"
    case .parametersTooMany(let count, let limit):
      "the message has \(count) parameters, and \(limit) are allowed"
    case .secretHashMissing: "the app client has a secret, and there is no SECRET_HASH"
    case .secretHashUnexpected: "there is a SECRET_HASH, and the app client has no secret"
    case .secretHashMismatch: "SECRET_HASH is not that of this user name and app client"
    case .passwordMismatch: "the signature is not made with the password of this user"
    case .timestampMalformed(let text):
      "the timestamp \(text.quoted) is not of the form Sat Sep 5 09:03:07 UTC 2026"
    case .timestampStale(let age, let limit):
      "the timestamp is \(age) seconds old, and \(limit) are allowed"
    case .timestampAhead(let seconds, let limit):
      "the timestamp is \(seconds) seconds in the future, and \(limit) are allowed"
    case .secretBlockInvalid: "the secret block was not made here, or was changed"
    case .secretBlockForeign: "the secret block was made for another user, device, pool or app client"
    case .secretBlockExpired(let at, let now): "the secret block ended at \(at), and it is \(now)"
    case .secretBlockReplayed: "the secret block was used before"
    case .challengesExhausted(let capacity): "\(capacity) challenges are open, which is all there is room for"
    case .lockedOut(let remaining):
      "too many wrong passwords came in: none is looked at for \(remaining) seconds"
    }
  }

  package init(_ error: CryptoError) {
    self =
      if case .library(let name) = error {
        name == "RAND_bytes" ? .randomUnavailable : .libraryFailure(name)
      } else {
        .libraryFailure("\(error)")
      }
  }

  /// Runs `body` with libcrypto's refusals turned into this module's.
  package static func of<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
  ) throws(SRPError) -> Result {
    do { return try body() } catch { throw SRPError(error) }
  }
}
