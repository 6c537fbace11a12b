internal import OTPQRCode
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The formats of a code against each other. `make interop` reads them with zbar.
@Suite struct QRCodeTests {
  private func secret(_ text: String) -> SecretBytes { SecretBytes(Array(text.utf8).span) }

  private func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  /// Dark squares by row, from the terminal text.
  private func terminalRows(_ code: borrowing QRCode) -> [[Bool]] {
    let lines = String(decoding: bytes(code.terminal(isColoured: false)), as: UTF8.self).split(
      separator: "\n")
    var rows: [[Bool]] = []
    for line in lines {
      rows.append(line.map { $0 == " " || $0 == "▄" })
      rows.append(line.map { $0 == " " || $0 == "▀" })
    }
    return rows[2..<(2 + code.side)].map { Array($0[2..<(2 + code.side)]) }
  }

  /// The same from SVG's path.
  private func svgRows(_ code: borrowing QRCode) throws -> [[Bool]] {
    let text = String(decoding: bytes(code.svg()), as: UTF8.self)
    var rows = [[Bool]](repeating: [Bool](repeating: false, count: code.side), count: code.side)
    for match in text.matches(of: /M([0-9]+) ([0-9]+)h([0-9]+)v1h-([0-9]+)z/) {
      let column = try #require(Int(match.output.1)) - 4
      let row = try #require(Int(match.output.2)) - 4
      for place in 0..<(try #require(Int(match.output.3))) { rows[row][column + place] = true }
    }
    return rows
  }

  /// The same from PNG's pixels.
  private func pngRows(_ code: borrowing QRCode, scale: Int) throws -> [[Bool]] {
    let side = code.side
    let file = bytes(code.png(scale: scale))
    let size = (side + 8) * scale
    let stride = (size + 7) / 8 + 1
    // Signature, IHDR, and the head of IDAT's chunk, of zlib's stream and of its first block.
    var dots: [UInt8] = []
    var place = 8 + 25 + 8 + 2
    while true {
      let isLast = file[place] == 1
      let count = Int(file[place + 1]) | Int(file[place + 2]) << 8
      dots += file[(place + 5)..<(place + 5 + count)]
      place += 5 + count
      if isLast { break }
    }
    #expect(dots.count == stride * size)
    return (0..<side).map { row in
      (0..<side).map { column in
        let dot = (column + 4) * scale
        return dots[(row + 4) * scale * stride + 1 + dot / 8] & (0x80 >> UInt8(dot % 8)) == 0
      }
    }
  }

  @Test(arguments: [1, 17, 100, 500]) func allFormsShowTheSame(_ count: Int) throws {
    for correction in [.low, .medium, .quartile, .high] as [QRCode.Correction] {
      let text = secret(String(repeating: "Ab1/", count: count / 4 + 1))
      let code = try QRCode(text, correction: correction)
      #expect((code.side - 17) % 4 == 0)
      let rows = terminalRows(code)
      #expect(try svgRows(code) == rows)
      for scale in [1, 3, 8] { #expect(try pngRows(code, scale: scale) == rows) }
      // Three corners have a finder pattern.
      for (row, column) in [(0, 0), (0, code.side - 7), (code.side - 7, 0)] {
        #expect((0..<7).allSatisfy { rows[row][column + $0] && rows[row + $0][column] })
      }
    }
  }

  @Test func pngAsTheStandardHasIt() throws {
    let code = try QRCode(secret("a"))
    let file = bytes(code.png(scale: 2))
    #expect(
      Array(file.prefix(16)) == [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
      ])
    #expect(Array(file.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    #expect(file[19] == UInt8((code.side + 8) * 2))
    #expect(file[24] == 1)
    let largest = bytes(try QRCode(secret("a")).png(scale: 1_000)).count
    #expect(largest == bytes(try QRCode(secret("a")).png(scale: 64)).count)
  }

  @Test func colouredLinesSayBothColours() throws {
    let text = String(decoding: bytes(try QRCode(secret("a")).terminal(isColoured: true)), as: UTF8.self)
    #expect(
      text.split(separator: "\n").allSatisfy { $0.hasPrefix("\u{1B}[37;40m") && $0.hasSuffix("\u{1B}[0m") })
  }

  @Test func textsThatCannotBe() throws {
    #expect(throws: QRCodeError.empty) { _ = try QRCode(secret("")) }
    #expect(throws: QRCodeError.tooLong(size: 2_954)) {
      _ = try QRCode(secret(String(repeating: "a", count: 2_954)), correction: .low)
    }
    #expect(try QRCode(secret(String(repeating: "a", count: 2_953)), correction: .low).side == 177)
    #expect(throws: QRCodeError.tooLong(size: 2_953)) {
      _ = try QRCode(secret(String(repeating: "a", count: 2_953)))
    }
  }
}
