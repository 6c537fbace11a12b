@testable internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// Comma-separated values.
@Suite struct UserImportReaderTests {
  /// Reads a text in portions of a size; the error with the records before it.
  private func read(_ text: String, by size: Int = 1) -> (records: [CSVReader.Record], error: UserPoolError?)
  {
    var reader = CSVReader()
    var records: [CSVReader.Record] = []
    let bytes = Array(text.utf8)
    do throws(UserPoolError) {
      for start in stride(from: 0, to: bytes.count, by: size) {
        try reader.add(Array(bytes[start..<min(bytes.count, start + size)]).span, to: &records)
      }
      try reader.finish(to: &records)
    } catch {
      return (records, error)
    }
    return (records, nil)
  }

  private func fields(_ text: String) throws -> [[String]] {
    let (records, error) = read(text)
    if let error { throw error }
    return records.map { $0.fields.map { String(decoding: $0, as: UTF8.self) } }
  }

  @Test(arguments: [
    ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a,b", [["a", "b"]]), ("a\r\nb\r\n", [["a"], ["b"]]),
    ("a,,\n", [["a", "", ""]]), (",", [["", ""]]), ("", []), ("\n\r\n\n", []), ("\"\"\n", [[""]]),
    ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]), ("\"a\r\nb\"", [["a\r\nb"]]), ("\"\"\"\"", [["\""]]),
    // A backslash before another one is itself; the second one belongs to the comma.
    (#"a\,b,c\d,\\,e\"#, [["a,b", #"c\d"#, #"\,e\"#]]), (#""a\,b""#, [[#"a\,b"#]]),
    ("é,日本\n", [["é", "日本"]]),
  ])
  func records(_ text: String, _ expected: [[String]]) throws {
    #expect(try fields(text) == expected)
    #expect(read(text, by: 1).records == read(text, by: 4_096).records)
  }

  @Test func linesOfRecords() {
    let (records, error) = read("a\n\n\"b\nc\"\r\nd\n")
    #expect(error == nil)
    #expect(records.map(\.line) == [1, 3, 5])
  }

  @Test(arguments: [
    ("a\nb\"c\n", 2, "a quotation mark in a field that does not begin with one"),
    ("a\n\"b\"c\n", 2, "a closing quotation mark is followed by something other than a comma"),
    ("a\n\"b\n\n\"\"c", 2, "the quotation mark is not closed"),
    ("a\nb\rc\n", 2, "a carriage return without a line feed"),
    ("a\nb\r", 2, "a carriage return without a line feed"),
    ("a\n\"b\n\"\" c\" d\n", 3, "a closing quotation mark is followed by something other than a comma"),
  ])
  func refusals(_ text: String, _ line: Int, _ rule: String) {
    let (records, error) = read(text)
    #expect(error == .importRefused(line: line, rule: rule))
    // Records before the error are read.
    #expect(records.map(\.line) == [1])
  }

  @Test func aRefusedFileStaysRefused() throws {
    var reader = CSVReader()
    var records: [CSVReader.Record] = []
    let refusal = UserPoolError.importRefused(
      line: 1, rule: "a quotation mark in a field that does not begin with one")
    #expect(throws: refusal) { try reader.add(Array("a\"b\n".utf8).span, to: &records) }
    #expect(throws: refusal) { try reader.add(Array("a\n".utf8).span, to: &records) }
    #expect(throws: refusal) { try reader.finish(to: &records) }
    #expect(records.isEmpty)
  }

  @Test func theLengthOfARowIsBounded() {
    let most = CSVReader.recordLimit
    let whole = String(repeating: "é", count: most - 1)
    #expect(read(whole + "\n" + whole, by: 4_096).records.count == 2)
    let refusal = UserPoolError.importRefused(line: 2, rule: "the row has more than 16000 characters")
    #expect(read("a\n" + whole + "ab", by: 4_096).error == refusal)
    #expect(read("a\n\"" + String(repeating: "\n", count: most), by: 4_096).error == refusal)
    // Bytes that continue no character count as well.
    var reader = CSVReader()
    var records: [CSVReader.Record] = []
    let bytes = [UInt8](repeating: 0x80, count: 4 * most + 1)
    #expect(throws: UserPoolError.importRefused(line: 1, rule: "the row has more than 16000 characters")) {
      try reader.add(bytes.span, to: &records)
    }
  }
}
