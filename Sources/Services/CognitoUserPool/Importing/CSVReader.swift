internal import TokenSecurityBase

/// Reads comma-separated values (RFC 4180) in portions.
///
/// As in the service's files, a backslash before a comma makes the comma part of a field without quotation
/// marks. Lines end with LF or CRLF; empty ones are left out. The reader keeps one record at most.
package struct CSVReader: Sendable {
  /// A record of a file.
  package struct Record: Sendable, Hashable {
    /// The line on which it begins; 1 is the first one.
    package let line: Int
    /// The fields, which may be any bytes.
    package let fields: [[UInt8]]
  }

  /// Maximum number of characters in a record.
  package static let recordLimit = 16_000

  /// Where the next byte belongs.
  private enum State {
    case start
    case plain
    /// After a backslash outside of quotation marks.
    case backslash
    case quoted
    /// After a quotation mark within quotation marks.
    case quotationMark
    case carriageReturn
  }

  private var state = State.start
  private var field: [UInt8] = []
  private var fields: [[UInt8]] = []
  /// The line of the next byte, and that on which the record begins.
  private var line = 1
  private var first = 1
  private var characters = 0
  private var size = 0
  private var hasQuotationMarks = false
  private var refusal: UserPoolError?

  package init() {}

  /// Reads a portion.
  ///
  /// - Parameters:
  ///   - bytes: the portion.
  ///   - records: receives the records that end in it.
  /// - Throws: `importRefused` with the line. `records` has those before it; later calls throw the same.
  package mutating func add(
    _ bytes: borrowing Span<UInt8>, to records: inout [Record]
  ) throws(UserPoolError) {
    if let refusal { throw refusal }
    do throws(UserPoolError) {
      for index in bytes.indices { try add(bytes[index], to: &records) }
    } catch {
      refusal = error
      throw error
    }
  }

  /// Ends the file: its last line may lack its end.
  ///
  /// - Parameter records: receives the last record.
  /// - Throws: `importRefused`.
  package mutating func finish(to records: inout [Record]) throws(UserPoolError) {
    if let refusal { throw refusal }
    switch state {
    case .quoted: throw refused("the quotation mark is not closed")
    case .carriageReturn: throw refused("a carriage return without a line feed", line)
    case .backslash: field.append(UInt8(ascii: "\\"))
    case .start, .plain, .quotationMark: break
    }
    endRecord(to: &records)
  }

  private mutating func add(_ byte: UInt8, to records: inout [Record]) throws(UserPoolError) {
    size += 1
    // Bytes that continue a character of UTF-8 are not counted.
    if byte & 0xC0 != 0x80 { characters += 1 }
    guard characters <= Self.recordLimit, size <= 4 * Self.recordLimit else {
      throw refused("the row has more than \(Self.recordLimit) characters")
    }
    switch state {
    case .start where byte == UInt8(ascii: "\""):
      state = .quoted
      hasQuotationMarks = true
    case .start, .plain: try addPlain(byte, to: &records)
    case .backslash:
      state = .plain
      if byte == UInt8(ascii: ",") {
        field.append(byte)
      } else {
        field.append(UInt8(ascii: "\\"))
        try addPlain(byte, to: &records)
      }
    case .quoted:
      if byte == UInt8(ascii: "\"") {
        state = .quotationMark
      } else {
        if byte == UInt8(ascii: "\n") { line += 1 }
        field.append(byte)
      }
    case .quotationMark:
      switch byte {
      case UInt8(ascii: "\""):
        field.append(byte)
        state = .quoted
      case UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): try addPlain(byte, to: &records)
      default: throw refused("a closing quotation mark is followed by something other than a comma", line)
      }
    case .carriageReturn:
      guard byte == UInt8(ascii: "\n") else {
        throw refused("a carriage return without a line feed", line)
      }
      endLine(to: &records)
    }
  }

  private mutating func addPlain(_ byte: UInt8, to records: inout [Record]) throws(UserPoolError) {
    switch byte {
    case UInt8(ascii: ","): endField()
    case UInt8(ascii: "\n"): endLine(to: &records)
    case UInt8(ascii: "\r"): state = .carriageReturn
    case UInt8(ascii: "\\"): state = .backslash
    case UInt8(ascii: "\""):
      throw refused("a quotation mark in a field that does not begin with one", line)
    default:
      field.append(byte)
      state = .plain
    }
  }

  private mutating func endField() {
    fields.append(field)
    field = []
    state = .start
  }

  private mutating func endLine(to records: inout [Record]) {
    line += 1
    endRecord(to: &records)
  }

  private mutating func endRecord(to records: inout [Record]) {
    endField()
    if fields.count > 1 || fields.first?.isEmpty == false || hasQuotationMarks {
      records.append(Record(line: first, fields: fields))
    }
    fields = []
    first = line
    characters = 0
    size = 0
    hasQuotationMarks = false
  }

  private func refused(_ rule: String, _ line: Int? = nil) -> UserPoolError {
    .importRefused(line: line ?? first, rule: rule)
  }
}
