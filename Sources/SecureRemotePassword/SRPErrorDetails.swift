package import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension SRPError {
  /// A refusal's stable code. A code never changes its meaning; new ones may come.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
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

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .publicKeyZero(let side):
      (
        .publicKeyZero,
        "\(side.rawValue) is a multiple of N: everyone would know the key (RFC 5054 section 2.5)"
      )
    case .publicKeyTrivial(let side):
      (.publicKeyTrivial, "\(side.rawValue) is 1 or N - 1, whose powers are known to everyone")
    case .publicKeyTooLong(let side, let size, let limit):
      (.publicKeyTooLong, "\(side.rawValue) has \(size) bytes, and N has \(limit)")
    case .publicKeyOutOfRange(let side): (.publicKeyOutOfRange, "\(side.rawValue) is larger than N")
    case .scramblingParameterZero: (.scramblingParameterZero, "u, the hash of A and B, is zero")
    case .verifierOutOfRange: (.verifierOutOfRange, "the verifier is not from 2 to N - 2")
    case .empty(let part): (.empty, "the \(part.rawValue) has no bytes")
    case .tooLong(let part, let size, let limit):
      (.tooLong, "the \(part.rawValue) has \(size) bytes, and \(limit) are allowed")
    case .hexadecimal(let part, let at):
      (.hexadecimal, "the \(part.rawValue) has something other than a hexadecimal digit at \(at)")
    case .base64(let part): (.base64, "the \(part.rawValue) is not base64 with padding (RFC 4648 section 4)")
    case .numberNegative(let part):
      (.numberNegative, "the \(part.rawValue) is a negative number of two's complement")
    case .proofMismatch: (.proofMismatch, "the other side's proof does not hold for this password")
    case .groupSize(let bits, let limits):
      (.groupSize, "the prime has \(bits) bits; \(limits.lowerBound) to \(limits.upperBound) are allowed")
    case .groupNotPrime: (.groupNotPrime, "the modulus is no prime")
    case .groupNotSafe: (.groupNotSafe, "the prime N is not safe: (N - 1) / 2 is no prime")
    case .generatorUnsuitable: (.generatorUnsuitable, "the generator is not from 2 to N - 2")
    case .keyTooShort(let size, let least):
      (.keyTooShort, "the key has \(size) bytes, and at least \(least) are needed")
    case .randomUnavailable: (.randomUnavailable, "the system has no random numbers to give")
    case .libraryFailure(let name): (.libraryFailure, "libcrypto's \(name) failed")
    case .userPoolIDMalformed(let text):
      (.userPoolIDMalformed, "the user pool id \(text.quoted) is not of the form REGION_NAME")
    case .deviceKeyMalformed(let text):
      (.deviceKeyMalformed, "the device key \(text.quoted) is not GROUP_UUID with at most 55 characters")
    case .clientIDMalformed(let text):
      (.clientIDMalformed, "the app client id \(text.quoted) is not of 1 to 128 letters, digits, + or _")
    case .challengeUnexpected(let actual, let expected):
      (.challengeUnexpected, "the challenge is \(actual.quoted), and \(expected) was expected")
    case .parameterMissing(let name): (.parameterMissing, "the parameter \(name) is missing")
    case .messageMalformed(let what): (.messageMalformed, "the message is malformed: \(what)")
    case .messageTooLarge(let size, let limit):
      (.messageTooLarge, "the message has \(size) bytes, and \(limit) are allowed")
    case .parametersTooMany(let count, let limit):
      (.parametersTooMany, "the message has \(count) parameters, and \(limit) are allowed")
    case .secretHashMissing: (.secretHashMissing, "the app client has a secret, and there is no SECRET_HASH")
    case .secretHashUnexpected:
      (.secretHashUnexpected, "there is a SECRET_HASH, and the app client has no secret")
    case .secretHashMismatch:
      (.secretHashMismatch, "SECRET_HASH is not that of this user name and app client")
    case .passwordMismatch: (.passwordMismatch, "the signature is not made with the password of this user")
    case .timestampMalformed(let text):
      (.timestampMalformed, "the timestamp \(text.quoted) is not of the form Sat Sep 5 09:03:07 UTC 2026")
    case .timestampStale(let age, let limit):
      (
        .timestampStale,
        "the timestamp is \(age.wholeSeconds) seconds old, and \(limit.wholeSeconds) are allowed"
      )
    case .timestampAhead(let seconds, let limit):
      (
        .timestampAhead,
        "the timestamp is \(seconds.wholeSeconds) seconds in the future, and \(limit.wholeSeconds) are allowed"
      )
    case .secretBlockInvalid: (.secretBlockInvalid, "the secret block was not made here, or was changed")
    case .secretBlockForeign:
      (.secretBlockForeign, "the secret block was made for another user, device, pool or app client")
    case .secretBlockExpired(let at, let now):
      (.secretBlockExpired, "the secret block ended at \(at.seconds), and it is \(now.seconds)")
    case .secretBlockReplayed: (.secretBlockReplayed, "the secret block was used before")
    case .challengesExhausted(let capacity):
      (.challengesExhausted, "\(capacity) challenges are open, which is all there is room for")
    case .lockedOut(let remaining):
      (
        .lockedOut,
        "too many wrong passwords came in: none is looked at for \(remaining.secondsRoundedUp) seconds"
      )
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
