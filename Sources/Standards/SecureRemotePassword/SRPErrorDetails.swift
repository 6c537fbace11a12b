internal import TokenSecurityBase
package import TokenSecurityCrypto

extension SRPError {
  /// The stable code of an error. A code never changes its meaning; new ones may be added.
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
    case lockedOut = "locked_out"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .publicKeyZero(let side):
      (
        .publicKeyZero,
        "\(side.rawValue) is a multiple of N, which would reveal the key (RFC 5054 section 2.5)"
      )
    case .publicKeyTrivial(let side):
      (.publicKeyTrivial, "\(side.rawValue) is 1 or N - 1, which would reveal the key")
    case .publicKeyTooLong(let side, let size, let limit):
      (.publicKeyTooLong, "\(side.rawValue) has \(size) bytes, more than the \(limit) of N")
    case .publicKeyOutOfRange(let side): (.publicKeyOutOfRange, "\(side.rawValue) is larger than N")
    case .scramblingParameterZero: (.scramblingParameterZero, "u, the hash of A and B, is zero")
    case .verifierOutOfRange: (.verifierOutOfRange, "the verifier is not in the range 2 to N - 2")
    case .empty(let part): (.empty, "the \(part.rawValue) is empty")
    case .tooLong(let part, let size, let limit):
      (.tooLong, "the \(part.rawValue) has \(size) bytes; the limit is \(limit)")
    case .hexadecimal(let part, let at):
      (.hexadecimal, "the \(part.rawValue) has a character at \(at) that is not a hexadecimal digit")
    case .base64(let part): (.base64, "the \(part.rawValue) is not base64 with padding (RFC 4648 section 4)")
    case .numberNegative(let part):
      (.numberNegative, "the \(part.rawValue) is negative")
    case .proofMismatch: (.proofMismatch, "the other side's proof does not match this password")
    case .groupSize(let bits, let limits):
      (.groupSize, "the prime has \(bits) bits; \(limits.lowerBound) to \(limits.upperBound) are allowed")
    case .groupNotPrime: (.groupNotPrime, "the modulus is not prime")
    case .groupNotSafe: (.groupNotSafe, "the prime N is not safe: (N - 1) / 2 is not prime")
    case .generatorUnsuitable: (.generatorUnsuitable, "the generator is not in the range 2 to N - 2")
    case .keyTooShort(let size, let least):
      (.keyTooShort, "the key has \(size) bytes; at least \(least) are required")
    case .randomUnavailable: (.randomUnavailable, "the system's random number generator failed")
    case .libraryFailure(let name): (.libraryFailure, "libcrypto's \(name) failed")
    case .userPoolIDMalformed(let text):
      (.userPoolIDMalformed, "the user pool id \(text.quoted) is not of the form REGION_NAME")
    case .deviceKeyMalformed(let text):
      (.deviceKeyMalformed, "the device key \(text.quoted) is not GROUP_UUID with at most 55 characters")
    case .clientIDMalformed(let text):
      (.clientIDMalformed, "the app client id \(text.quoted) is not 1 to 128 letters, digits, + or _")
    case .challengeUnexpected(let actual, let expected):
      (.challengeUnexpected, "the challenge is \(actual.quoted); expected \(expected)")
    case .parameterMissing(let name): (.parameterMissing, "the parameter \(name) is missing")
    case .messageMalformed(let what): (.messageMalformed, "the message is malformed: \(what)")
    case .messageTooLarge(let size, let limit):
      (.messageTooLarge, "the message has \(size) bytes; the limit is \(limit)")
    case .parametersTooMany(let count, let limit):
      (.parametersTooMany, "the message has \(count) parameters; the limit is \(limit)")
    case .secretHashMissing:
      (.secretHashMissing, "the app client has a secret, but the request has no SECRET_HASH")
    case .secretHashUnexpected:
      (.secretHashUnexpected, "the request has a SECRET_HASH, but the app client has no secret")
    case .secretHashMismatch:
      (.secretHashMismatch, "SECRET_HASH does not match this user name and app client")
    case .passwordMismatch: (.passwordMismatch, "the signature was not computed with this user's password")
    case .timestampMalformed(let text):
      (.timestampMalformed, "the timestamp \(text.quoted) is not of the form Sat Sep 5 09:03:07 UTC 2026")
    case .timestampStale(let age, let limit):
      (
        .timestampStale,
        "the timestamp is \(age.wholeSeconds) seconds old; the limit is \(limit.wholeSeconds)"
      )
    case .timestampAhead(let seconds, let limit):
      (
        .timestampAhead,
        "the timestamp is \(seconds.wholeSeconds) seconds in the future; the limit is \(limit.wholeSeconds)"
      )
    case .secretBlockInvalid:
      (.secretBlockInvalid, "the secret block was not issued by this server, or was modified")
    case .secretBlockForeign:
      (.secretBlockForeign, "the secret block was issued for another user, device, pool or app client")
    case .lockedOut(let remaining):
      (.lockedOut, "too many wrong passwords; wait \(remaining.secondsRoundedUp) seconds")
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

  /// Runs `body` and converts libcrypto's errors into `SRPError`.
  package static func of<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
  ) throws(SRPError) -> Result {
    do { return try body() } catch { throw SRPError(error) }
  }
}
