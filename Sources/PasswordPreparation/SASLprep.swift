internal import CTokenSecurityStringprep
public import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// SASLprep (RFC 4013): names and passwords in the one form in which two people who type the same mean the same. Done by
/// GNU libidn.
///
/// Both sides of a sign-in must agree on it, and records made without it may need passwords as they were typed: that is
/// why nothing here is done without being asked for.
public enum SASLprep {
  /// What to do with code points that Unicode 3.2 did not have (RFC 3454 section 7).
  public enum Use: Sendable, Hashable {
    /// Refuse them: for what is stored.
    case stored
    /// Take them as they are: for what is compared with it.
    case query
  }

  /// The longest text, in bytes.
  public static let limit = 4_096

  /// `text`, UTF-8, with spaces of all kinds as one kind, with what means nothing gone, and normalised (form KC).
  ///
  /// Throws ``SASLprepError``.
  public static func prepare(
    _ text: borrowing SecretBytes, for use: Use = .query
  ) throws(SASLprepError) -> SecretBytes {
    guard text.count <= limit else { throw .tooLong(size: text.count, limit: limit) }
    let isText = text.withBytes { text in
      unsafe text.withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) != nil }
    }
    let hasZero = text.withBytes { text in text.indices.contains { text[$0] == 0 } }
    guard isText, !hasZero else { throw .notText }
    // With a zero behind it, as C wants it.
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

/// Why a text cannot be a name or a password.
@nonexhaustive public enum SASLprepError: CodedError, Equatable {
  /// The text is no UTF-8, or has a byte of zero.
  case notText
  /// The text has too many bytes.
  case tooLong(size: Int, limit: Int)
  /// The text has a character that RFC 4013 section 2.3 prohibits: a control, a private or a tagging one.
  case prohibited
  /// The text has a code point that Unicode 3.2 did not have.
  case unassigned
  /// The text mixes directions of writing (RFC 3454 section 6).
  case bidirectional
  /// libidn refused for another reason; its number.
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

  /// A refusal's stable code. A code never changes its meaning; new ones may come.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case notText = "text_not_utf8"
    case tooLong = "text_too_long"
    case prohibited = "text_prohibited"
    case unassigned = "text_unassigned"
    case bidirectional = "text_bidirectional"
    case failed = "text_preparation_failed"
  }
}

extension SASLprepError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .notText: (.notText, "the text is no UTF-8, or has a byte of zero")
    case .tooLong(let size, let limit): (.tooLong, "the text has \(size) bytes, and \(limit) are allowed")
    case .prohibited: (.prohibited, "the text has a character that RFC 4013 section 2.3 prohibits")
    case .unassigned:
      (.unassigned, "the text has a code point that Unicode 3.2 did not have (RFC 3454 section 7)")
    case .bidirectional: (.bidirectional, "the text mixes directions of writing (RFC 3454 section 6)")
    case .failed(let status): (.failed, "libidn's stringprep failed with \(status)")
    }
  }
}
