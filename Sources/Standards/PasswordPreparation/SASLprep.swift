internal import CTokenSecurityStringprep
public import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// SASLprep (RFC 4013), which normalizes user names and passwords, by GNU libidn.
///
/// Both sides of a sign-in must use it, and verifiers that were computed without it may need the password as
/// it was typed. Therefore no other module applies it by itself.
public enum SASLprep {
  /// How to treat code points that are unassigned in Unicode 3.2 (RFC 3454 section 7).
  public enum Use: Sendable, Hashable {
    /// Refuses them: for stored text.
    case stored
    /// Keeps them: for text that is compared with stored text.
    case query
  }

  /// The maximum size of a text in bytes.
  public static let limit = 4_096

  /// Maps all spaces to U+0020, removes invisible characters, and normalizes to form KC.
  ///
  /// - Parameters:
  ///   - text: the text in UTF-8.
  ///   - use: how to treat unassigned code points.
  /// - Returns: the normalized text in UTF-8.
  /// - Throws: ``SASLprepError``.
  public static func prepare(
    _ text: borrowing SecretBytes, for use: Use = .query
  ) throws(SASLprepError) -> SecretBytes {
    guard text.count <= limit else { throw .tooLong(size: text.count, limit: limit) }
    let isText = text.withBytes { text in
      unsafe text.withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) != nil }
    }
    let hasZero = text.withBytes { text in text.indices.contains { text[$0] == 0 } }
    guard isText, !hasZero else { throw .notText }
    // With a terminating zero for C.
    let closed = SecretBytes(count: text.count + 1) { output in
      text.withBytes { text in for index in text.indices { output[index] = text[index] } }
    }
    var output: UnsafeMutablePointer<CChar>?
    let flags = use == .stored ? STRINGPREP_NO_UNASSIGNED : Stringprep_profile_flags(0)
    let status = closed.withBytes { closed in
      unsafe closed.withUnsafeBytes {
        unsafe stringprep_profile(
          $0.baseAddress?.assumingMemoryBound(to: CChar.self), &output, "SASLprep", flags)
      }
    }
    guard status == 0, let output = unsafe output else { throw SASLprepError(status) }
    let count = unsafe strlen(output)
    defer {
      unsafe memset(output, 0, count)
      unsafe free(output)
    }
    return SecretBytes(count: count) { bytes in
      for index in 0..<count { bytes[index] = UInt8(bitPattern: unsafe output[index]) }
    }
  }
}

/// Why a text cannot be a user name or password.
@nonexhaustive public enum SASLprepError: CodedError, Equatable {
  /// The text is not UTF-8, or has a zero byte.
  case notText
  /// The text has too many bytes.
  case tooLong(size: Int, limit: Int)
  /// The text has a character that RFC 4013 section 2.3 prohibits, such as a control character.
  case prohibited
  /// The text has a code point that is unassigned in Unicode 3.2.
  case unassigned
  /// The text mixes writing directions (RFC 3454 section 6).
  case bidirectional
  /// libidn failed with another status.
  case failed(Int32)

  init(_ status: Int32) {
    self =
      switch Stringprep_rc(rawValue: UInt32(bitPattern: status)) {
      case STRINGPREP_CONTAINS_UNASSIGNED: .unassigned
      case STRINGPREP_CONTAINS_PROHIBITED: .prohibited
      case STRINGPREP_BIDI_BOTH_L_AND_RAL, STRINGPREP_BIDI_LEADTRAIL_NOT_RAL,
        STRINGPREP_BIDI_CONTAINS_PROHIBITED:
        .bidirectional
      default: .failed(status)
      }
  }

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case notText = "text_not_utf8"
    case tooLong = "text_too_long"
    case prohibited = "text_prohibited"
    case unassigned = "text_unassigned"
    case bidirectional = "text_bidirectional"
    case failed = "text_preparation_failed"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .notText: (.notText, "the text is not UTF-8, or has a zero byte")
    case .tooLong(let size, let limit): (.tooLong, "the text has \(size) bytes; the limit is \(limit)")
    case .prohibited: (.prohibited, "the text has a character that RFC 4013 section 2.3 prohibits")
    case .unassigned:
      (.unassigned, "the text has a code point that is unassigned in Unicode 3.2 (RFC 3454 section 7)")
    case .bidirectional: (.bidirectional, "the text mixes writing directions (RFC 3454 section 6)")
    case .failed(let status): (.failed, "libidn's stringprep failed with \(status)")
    }
  }
}
