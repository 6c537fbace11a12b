internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// Public declarations take instants as `Timestamp` and durations as `Duration`. The factories of `Limit` are
/// the only ones that take seconds as a number. Members of declared operations have the types of their protocol, and
/// functions for C those of C.
@Suite struct ClockTests {
  @Test func noPublicDeclarationTakesSecondsAsANumber() throws {
    let sources = "\(VectorFile.root)/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: sources))
    let time =
      /\b(now|instant|until|end|expiration|created|lifetime|duration|leeway|skew|period|margin|pause|notice|age|wait|grace|timeout|[a-zA-Z]*[sS]econds|[a-zA-Z]*Age|[a-zA-Z]*Life|[a-zA-Z]*Lifetime) *: *(U?Int(64)?|Double)\b/
    for case let path as String in paths where path.hasSuffix(".swift") && !path.contains("-") {
      if path.hasPrefix("Protocol/") || path.hasPrefix("Programs/TokenSecurityC/") { continue }
      let lines = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8).split(separator: "\n")
      for (number, line) in lines.enumerated() where line.contains(#/^ *(public |case )/#) {
        // The declaration up to its body.
        var text = ""
        for line in lines[number...] {
          text += line
          if line.contains("{") || text.count(where: { $0 == "(" }) == text.count(where: { $0 == ")" }) {
            break
          }
        }
        let isStored = line.contains(#/^ *public (private\(set\) )?(static )?(nonisolated )?let /#)
        #expect(isStored || text.firstMatch(of: time) == nil, "\(path):\(number + 1) \(line)")
      }
    }
  }

  /// The current time is the default of each instant `at:`. Requirements of protocols cannot have defaults.
  @Test func theCurrentTimeIsTheDefault() throws {
    let sources = "\(VectorFile.root)/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: sources))
    var count = 0
    for case let path as String in paths where path.hasSuffix(".swift") {
      let source = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
      for declaration in source.matches(of: /\n *public [^{}\n]*func [^{}]*?\{/) {
        for parameter in declaration.output.matches(
          of: /\bat [a-z]+: (?:Timestamp|NumericDate)(?<end> = \.now)?/)
        {
          count += 1
          #expect(parameter.output.end != nil, "\(path):\(declaration.output)")
        }
      }
    }
    #expect(count > 50)
  }
}
