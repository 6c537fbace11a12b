internal import Foundation

/// The positions of a test's source where it waits for real time, measures it, or blocks a thread.
struct RealTime {
  /// The kind of wait or measurement.
  enum Kind: String, CaseIterable {
    /// It sleeps.
    case sleep
    /// It reads a clock that measures time, or compares a difference to the present.
    case elapsedTime
    /// It polls without a pause, and so takes a processor from what it waits for.
    case polling
    /// It blocks its thread. Swift's pool has as many threads as there are processors.
    case blockingWait
  }

  /// A position.
  struct Finding: Hashable {
    let kind: Kind
    let line: Int
    let text: String
  }

  enum Language { case swift, python }

  private(set) var findings: [Finding] = []

  init(_ source: String, _ language: Language) {
    let candidates = Self.candidates(source)
    guard !candidates.isEmpty else { return }
    let masked = SourceMask(source, language)
    let code = masked.code.split(separator: "\n", omittingEmptySubsequences: false)
    let text = masked.text.split(separator: "\n", omittingEmptySubsequences: false)
    for index in candidates {
      var kinds = Set(Kind.allCases.filter { Self.has($0, code[index], language) })
      // SQL stands in texts. Written in two parts, since this file is read, too.
      if text[index].contains("pg_" + "sleep") { kinds.insert(.sleep) }
      if Self.isInCondition(index, code), code[index].contains(Self.differenceToThePresent) {
        kinds.insert(.elapsedTime)
      }
      for kind in Kind.allCases where kinds.contains(kind) {
        findings.append(
          Finding(kind: kind, line: index + 1, text: text[index].trimmingCharacters(in: .whitespaces)))
      }
    }
  }

  private static func has(_ kind: Kind, _ line: Substring, _ language: Language) -> Bool {
    switch (kind, language) {
    case (.sleep, _): line.contains(sleep)
    case (.elapsedTime, .swift): line.contains(swiftClock)
    case (.elapsedTime, .python): line.contains(pythonClock)
    case (.polling, .swift): line.contains(polling)
    case (.blockingWait, .swift): line.contains(blockingWait)
    case (.polling, .python), (.blockingWait, .python): false
    }
  }

  // The boundaries of Unicode do not divide words at a dot.
  private static var sleep: some RegexComponent {
    /\b(?:u|nano|clock_nano)?sleep *\(|\bsleep_for\b|\bimport +sleep\b/.wordBoundaryKind(.simple)
  }
  private static var swiftClock: some RegexComponent {
    /\b(?:Continuous|Suspending)Clock(?:\(\))? *\. *(?:now|measure)\b|\bDispatchTime *\. *now\b|\bclock_gettime\b|\bsystemUptime\b/
      .wordBoundaryKind(.simple)
  }
  private static var pythonClock: some RegexComponent {
    /\b(?:monotonic|perf_counter|process_time)(?:_ns)? *\(/.wordBoundaryKind(.simple)
  }
  private static var polling: some RegexComponent {
    /\bwhile\b.*\{ *await +Task *\. *yield *\(\) *\}/.wordBoundaryKind(.simple)
  }
  private static var blockingWait: some RegexComponent {
    /\b(?:waitUntilExit|readDataToEndOfFile|readToEnd|availableData|pthread_join|pthread_cond_wait|waitpid|flock) *\b|\b(?:DispatchSemaphore|DispatchGroup|NSCondition|NSConditionLock) *\(|\.sync *\{/
      .wordBoundaryKind(.simple)
  }
  private static var differenceToThePresent: some RegexComponent {
    /- *(?:Timestamp\.now|NumericDate\.now|Date\(\)|Date\.now|time\.time\(\))|(?:Timestamp\.now|NumericDate\.now|Date\(\)|Date\.now|time\.time\(\))(?:\.[a-zA-Z]+)? *-/
  }

  /// Returns whether a line belongs to an assertion, which begins in it or in one of the lines before.
  private static func isInCondition(_ index: Int, _ code: [Substring]) -> Bool {
    for start in stride(from: index, through: max(0, index - 5), by: -1) {
      let line = code[start]
      guard line.contains("#expect") || line.contains("#require") || line.contains("assert ") else {
        continue
      }
      let before = code[start..<index].joined()
      return start == index
        || before.count(where: { $0 == "(" }) > before.count(where: { $0 == ")" })
    }
    return false
  }

  /// The lines that have a word of those that are looked for. Most files have none.
  private static func candidates(_ source: String) -> [Int] {
    let data = Data(source.utf8)
    let found = triggers.filter { data.range(of: $0) != nil }
    guard !found.isEmpty else { return [] }
    return data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().filter { _, line in
      found.contains { line.range(of: $0) != nil }
    }.map(\.offset)
  }

  private static let triggers = [
    "sleep", "ContinuousClock", "SuspendingClock", "DispatchTime", "clock_gettime", "systemUptime",
    "measure {",
    "yield()", "waitUntilExit", "ToEnd", "availableData", "DispatchSemaphore", "DispatchGroup", "NSCondition",
    "pthread_", "waitpid", "flock", ".sync", "monotonic", "perf_counter", "process_time", "Timestamp.now",
    "NumericDate.now", "Date()", "Date.now", "time.time()",
  ].map { Data($0.utf8) }
}

/// A source without comments, and without the contents of texts. Lines stay lines.
struct SourceMask {
  /// The source without comments and texts.
  let code: String
  /// The source without comments.
  let text: String

  private enum State {
    case code
    case comment(depth: Int)
    case lineComment
    case literal(end: [UInt8], escape: [UInt8], isLong: Bool)
  }

  init(_ source: String, _ language: RealTime.Language) {
    let bytes = Array(source.utf8)
    var (code, text) = ([UInt8](), [UInt8]())
    code.reserveCapacity(bytes.count)
    text.reserveCapacity(bytes.count)
    var state = State.code
    var index = 0
    func starts(_ token: [UInt8]) -> Bool {
      index + token.count <= bytes.count && bytes[index..<index + token.count].elementsEqual(token)
    }
    /// Passes bytes on, or blanks instead of them.
    func pass(_ count: Int, inCode: Bool, inText: Bool) {
      for byte in bytes[index..<min(index + count, bytes.count)] {
        let blank = byte == 0x0A ? byte : 0x20
        code.append(inCode ? byte : blank)
        text.append(inText ? byte : blank)
      }
      index += count
    }
    while index < bytes.count {
      // Most bytes begin and end nothing.
      let isPlain = !Self.special.contains(bytes[index])
      switch state {
      case .code where isPlain: pass(1, inCode: true, inText: true)
      case .comment where isPlain, .lineComment where isPlain: pass(1, inCode: false, inText: false)
      case .literal where isPlain: pass(1, inCode: false, inText: true)
      case .code:
        let next = Self.next(language, starts)
        state = next.state ?? .code
        let isComment =
          switch state {
          case .comment, .lineComment: true
          case .code, .literal: false
          }
        pass(next.length, inCode: !isComment, inText: !isComment)
      case .lineComment:
        if bytes[index] == 0x0A { state = .code }
        pass(1, inCode: false, inText: false)
      case .comment(let depth):
        if starts(Array("*/".utf8)) {
          state = depth == 1 ? .code : .comment(depth: depth - 1)
          pass(2, inCode: false, inText: false)
        } else if starts(Array("/*".utf8)) {
          state = .comment(depth: depth + 1)
          pass(2, inCode: false, inText: false)
        } else {
          pass(1, inCode: false, inText: false)
        }
      case .literal(let end, let escape, let isLong):
        if starts(end) || (!isLong && bytes[index] == 0x0A) {
          let length = starts(end) ? end.count : 1
          state = .code
          pass(length, inCode: true, inText: true)
        } else {
          pass(starts(escape) ? escape.count + 1 : 1, inCode: false, inText: true)
        }
      }
    }
    self.code = String(decoding: code, as: UTF8.self)
    self.text = String(decoding: text, as: UTF8.self)
  }

  private static let special = Set("\n/*#\"'\\".utf8)

  /// The state that begins at a position of the code, and the length of what begins it.
  private static func next(
    _ language: RealTime.Language, _ starts: ([UInt8]) -> Bool
  ) -> (state: State?, length: Int) {
    func has(_ text: String) -> Bool { starts(Array(text.utf8)) }
    switch language {
    case .swift:
      if has("//") { return (.lineComment, 2) }
      if has("/*") { return (.comment(depth: 1), 2) }
      for hashes in ["##", "#", ""] {
        for quotes in ["\"\"\"", "\""] where has(hashes + quotes) {
          let literal = State.literal(
            end: Array((quotes + hashes).utf8), escape: Array(("\\" + hashes).utf8), isLong: quotes.count == 3
          )
          return (literal, hashes.count + quotes.count)
        }
      }
    case .python:
      if has("#") { return (.lineComment, 1) }
      for quotes in ["\"\"\"", "'''", "\"", "'"] where has(quotes) {
        let literal = State.literal(
          end: Array(quotes.utf8), escape: Array("\\".utf8), isLong: quotes.count == 3)
        return (literal, quotes.count)
      }
    }
    return (nil, 1)
  }
}
