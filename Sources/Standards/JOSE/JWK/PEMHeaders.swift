internal import TokenSecurityBase

/// The header lines inside a PEM block (RFC 1421 section 4.4), such as `Comment` and `Proc-Type`, up to an empty line.
enum PEMHeaders {
  /// Finds the end of the header lines in the contents of a block.
  ///
  /// - Returns: the index of the first byte after them.
  /// - Throws: `keyEncrypted` for a header of an encrypted block. Other headers say nothing about the bytes.
  static func end(in block: ArraySlice<UInt8>) throws(JOSEError) -> Int {
    // The rest of the BEGIN line and empty lines after it.
    var position = block.firstIndex { !$0.isPEMBlank } ?? block.endIndex
    var isProcType = false
    var isAfterHeader = false
    while position < block.endIndex {
      let end = block[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? block.endIndex
      let line = block[position..<end]
      if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        let name = String(decoding: line[..<colon].trimmingBlanks, as: UTF8.self)
        guard !name.isEqualIgnoringASCIICase(to: "DEK-Info") else { throw .keyEncrypted }
        isProcType = name.isEqualIgnoringASCIICase(to: "Proc-Type")
      } else if !isAfterHeader || !(line.first == 0x20 || line.first == 0x09) {
        // An empty line ends the headers; without one, the first line that is none.
        return line.isEmpty && isAfterHeader ? end : position
      } else if line.trimmingBlanks.isEmpty {
        return end
      }
      if isProcType, ByteSearch.firstIndex(of: "ENCRYPTED", in: line.span) != nil { throw .keyEncrypted }
      isAfterHeader = true
      position = end
      if position < block.endIndex { position += 1 }
      // CR LF is one line break.
      if position < block.endIndex, block[position - 1] == 0x0D, block[position] == 0x0A { position += 1 }
    }
    return position
  }
}
