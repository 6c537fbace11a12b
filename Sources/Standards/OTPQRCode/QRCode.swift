internal import CTokenSecurityQRencode
public import TokenSecurityCrypto

/// A QR code (ISO/IEC 18004), computed by libqrencode.
///
/// The code is as secret as its text: all of its formats are `SecretBytes`.
public struct QRCode: ~Copyable, Sendable {
  /// The number of squares per side, without the margin.
  public let side: Int
  /// One byte for each square, row by row; 1 is dark.
  private let squares: SecretBytes

  /// How much of the code may be unreadable.
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

  /// The maximum size of a text in bytes: version 40 with the lowest correction.
  public static let limit = 2_953

  /// The width of the light margin in squares.
  public static let margin = 4

  /// Creates the smallest code for a text.
  ///
  /// - Parameters:
  ///   - text: the text, 1 to 2,953 bytes.
  ///   - correction: how much of the code may be unreadable. Default: 15 per cent.
  /// - Throws: ``QRCodeError``.
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
    // libqrencode does not wipe the memory that it frees. Its intermediate buffers cannot be wiped here.
    for index in 0..<(side * side) { unsafe data[index] = 0 }
    unsafe QRcode_free(code)
  }

  /// True for a dark square. Squares outside of the code are light.
  borrowing func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
    return squares.withBytes { $0[row * side + column] == 1 }
  }
}

/// Why a QR code cannot be created.
@nonexhaustive public enum QRCodeError: CodedError, Equatable {
  /// The text is empty.
  case empty
  /// The text is too long for a code; the size is in bytes.
  case tooLong(size: Int)

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case empty = "qr_text_empty"
    case tooLong = "qr_text_too_long"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .empty: (.empty, "the text for the QR code is empty")
    case .tooLong(let size): (.tooLong, "a text of \(size) bytes is too long for a QR code")
    }
  }
}
