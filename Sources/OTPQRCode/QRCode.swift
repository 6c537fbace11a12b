internal import CTokenSecurityQRencode
public import TokenSecurityCrypto

/// A QR code (ISO/IEC 18004), as devices scan it: dark and light squares, made by libqrencode.
///
/// What is shown is as secret as the text: all forms come out as `SecretBytes`.
public struct QRCode: ~Copyable, Sendable {
  /// How many squares a side has, without the margin.
  public let side: Int
  /// One byte a square, row by row: 1 for dark.
  private let squares: SecretBytes

  /// How much of the code may be hidden or dirty.
  public enum Correction: Sendable, Hashable {
    /// 7 per cent.
    case low
    /// 15 per cent.
    case medium
    /// 25 per cent.
    case quartile
    /// 30 per cent.
    case high

    var level: QRecLevel {
      switch self {
      case .low: QR_ECLEVEL_L
      case .medium: QR_ECLEVEL_M
      case .quartile: QR_ECLEVEL_Q
      case .high: QR_ECLEVEL_H
      }
    }
  }

  /// The most that a code holds, in bytes: those of version 40 with the least correction.
  public static let limit = 2_953

  /// The squares that must stay light around the code.
  public static let margin = 4

  /// The code for a text, as small as it goes.
  ///
  /// Throws ``QRCodeError``.
  public init(_ text: borrowing SecretBytes, correction: Correction = .medium) throws(QRCodeError) {
    guard text.count > 0 else { throw .empty }
    guard text.count <= Self.limit else { throw .tooLong(size: text.count) }
    let code = unsafe text.withBytes { text in
      unsafe text.withUnsafeBufferPointer {
        unsafe QRcode_encodeData(Int32($0.count), $0.baseAddress, 0, correction.level)
      }
    }
    guard let code = unsafe code, let data = unsafe code.pointee.data else {
      throw .tooLong(size: text.count)
    }
    let side = Int(unsafe code.pointee.width)
    self.side = side
    squares = SecretBytes(count: side * side) { output in
      for index in 0..<(side * side) { output[index] = unsafe data[index] & 1 }
    }
    // The library does not wipe what it frees; what it used on the way stays where it was.
    for index in 0..<(side * side) { unsafe data[index] = 0 }
    unsafe QRcode_free(code)
  }

  /// True for a dark square; all outside are light.
  borrowing func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
    return squares.withBytes { $0[row * side + column] == 1 }
  }
}

/// Why there is no QR code.
@nonexhaustive public enum QRCodeError: CodedError, Equatable {
  /// The text has no bytes.
  case empty
  /// The text is longer than a code can hold; in bytes.
  case tooLong(size: Int)

  /// The stable code of a refusal. A code never changes its meaning; new ones may come.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case empty = "qr_text_empty"
    case tooLong = "qr_text_too_long"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .empty: (.empty, "there is no text to make a QR code of")
    case .tooLong(let size): (.tooLong, "a text of \(size) bytes is longer than a QR code can hold")
    }
  }
}
