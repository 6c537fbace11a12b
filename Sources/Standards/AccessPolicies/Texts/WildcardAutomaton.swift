/// A pattern as an automaton of bits: state `i` means that the first `i` symbols have matched, `*` not counted.
///
/// Each byte of a text is read once, and moves all states at the same time, 64 of them in a word. Nothing is tried again, so
/// that no pattern takes more than the text's length times a 64th of its own.
struct WildcardAutomaton: Sendable {
  /// The number of symbols without `*`, which is the final state.
  private let length: Int
  private let words: Int
  /// The row of each byte in ``rows``.
  private let rowOfByte: [UInt8]
  /// For each row, the symbols that match its bytes, as bits of words.
  private let rows: [UInt64]
  /// The states before which there is a `*`: that matches every byte, or every byte except a colon.
  private let loops: [UInt64]
  private let loopsInPart: [UInt64]
  /// The states that a `?` reaches, which the other bytes of its character keep.
  private let afterOne: [UInt64]

  /// The automaton of a pattern.
  init(_ symbols: [UInt16], colons: WildcardPattern.Colons) {
    self.init(symbols, colons: colons, symbols.indices)
  }

  /// The automaton of some of a pattern's symbols. Those before and after decide which of its wildcards match a colon.
  init(_ symbols: [UInt16], colons: WildcardPattern.Colons, _ range: Range<Int>) {
    let length = symbols[range].count { $0 != PatternSymbols.any }
    let words = length / 64 + 1
    var loops = [UInt64](repeating: 0, count: words)
    var loopsInPart = loops
    var afterOne = loops
    var rowOfByte = [UInt8](repeating: 0, count: 256)
    // Row 0 is for the bytes that no symbol names, and has the places of `?`; the next three are explained below.
    var kinds = Rows(words: words)
    var state = 0
    var part = symbols[..<range.lowerBound].count { $0 == UInt16(UInt8(ascii: ":")) }
    for index in range {
      let symbol = symbols[index]
      switch symbol {
      case PatternSymbols.any:
        if colons.crosses(symbols, at: index, part: part) {
          loops.set(state)
        } else {
          loopsInPart.set(state)
        }
      case PatternSymbols.one:
        kinds.addOne(state, matchesColon: colons.isPlain(part: part))
        state += 1
        afterOne.set(state)
      default:
        let byte = UInt8(truncatingIfNeeded: symbol)
        if byte == UInt8(ascii: ":") { part += 1 }
        kinds.add(byte, state)
        state += 1
      }
    }
    rows = kinds.finished(&rowOfByte)
    self.length = length
    self.words = words
    self.rowOfByte = rowOfByte
    self.loops = loops
    self.loopsInPart = loopsInPart
    self.afterOne = afterOne
  }

  /// True if the pattern matches all of a text. Adds the number of words that were computed to `steps`.
  func matches(_ text: borrowing Span<UInt8>, steps: inout Int) -> Bool {
    // A byte matches one symbol at most, and a symbol at least one byte.
    guard text.count >= length else { return false }
    return words == 1 ? matchesInOneWord(text, steps: &steps) : matchesInWords(text, steps: &steps)
  }

  /// True if the pattern matches all of a text.
  func matches(_ text: borrowing Span<UInt8>) -> Bool {
    var steps = 0
    return matches(text, steps: &steps)
  }

  private func matchesInOneWord(_ text: borrowing Span<UInt8>, steps: inout Int) -> Bool {
    var states: UInt64 = 1
    for index in text.indices {
      let byte = text[index]
      var stay = loops[0]
      if byte != UInt8(ascii: ":") { stay |= loopsInPart[0] }
      if byte & 0xC0 == 0x80 { stay |= afterOne[0] }
      states = (states & rows[Int(rowOfByte[Int(byte)])]) << 1 | states & stay
      steps += 1
      guard states != 0 else { return false }
    }
    return states >> UInt64(length) & 1 == 1
  }

  private func matchesInWords(_ text: borrowing Span<UInt8>, steps: inout Int) -> Bool {
    var states = [UInt64](repeating: 0, count: words)
    states[0] = 1
    // The first and the last word that has states: a state after a later `*` that matches every byte makes those before it
    // superfluous.
    var low = 0
    var high = 0
    for index in text.indices {
      let byte = text[index]
      let row = Int(rowOfByte[Int(byte)]) * words
      let isColon = byte == UInt8(ascii: ":")
      let isContinuation = byte & 0xC0 == 0x80
      var carry: UInt64 = 0
      var isEmpty = true
      let last = min(high + 1, words - 1)
      for word in low...last {
        var stay = loops[word]
        if !isColon { stay |= loopsInPart[word] }
        if isContinuation { stay |= afterOne[word] }
        let moved = states[word] & rows[row + word]
        states[word] = moved << 1 | carry | states[word] & stay
        carry = moved >> 63
        if states[word] != 0 {
          isEmpty = false
          high = word
        }
        steps += 1
      }
      guard !isEmpty else { return false }
      for word in (low...high).reversed() where states[word] & loops[word] != 0 {
        for earlier in low..<word { states[earlier] = 0 }
        low = word
        break
      }
      // Nothing comes from the words before it.
      while states[low] == 0 { low += 1 }
    }
    return states[words - 1] >> UInt64(length % 64) & 1 == 1
  }
}

/// The rows of an automaton while it is made.
private struct Rows {
  let words: Int
  /// The places of `?`, by the kind of byte that they match: the first one of a character, or a colon.
  private var first: [UInt64]
  private var colon: [UInt64]
  private var places: [UInt8: [UInt64]] = [:]

  init(words: Int) {
    self.words = words
    first = [UInt64](repeating: 0, count: words)
    colon = first
  }

  mutating func addOne(_ state: Int, matchesColon: Bool) {
    first.set(state)
    if matchesColon { colon.set(state) }
  }

  mutating func add(_ byte: UInt8, _ state: Int) {
    places[byte, default: [UInt64](repeating: 0, count: words)].set(state)
  }

  /// All rows one after the other: of bytes that begin a character, of those that continue one, of the colon, and of each
  /// byte of the pattern.
  consuming func finished(_ rowOfByte: inout [UInt8]) -> [UInt64] {
    let none = [UInt64](repeating: 0, count: words)
    var rows = first + none
    for byte in 0x80...0xBF { rowOfByte[byte] = 1 }
    if places[UInt8(ascii: ":")] == nil { places[UInt8(ascii: ":")] = none }
    var next: UInt8 = 2
    for (byte, bits) in places.sorted(by: { $0.key < $1.key }) {
      let ones = byte & 0xC0 == 0x80 ? none : byte == UInt8(ascii: ":") ? colon : first
      rows += zip(bits, ones).map { $0 | $1 }
      rowOfByte[Int(byte)] = next
      next &+= 1
    }
    return rows
  }
}

extension [UInt64] {
  /// Sets the bit of a state.
  fileprivate mutating func set(_ state: Int) { self[state / 64] |= 1 << UInt64(state % 64) }
}
