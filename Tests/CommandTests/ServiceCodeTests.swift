internal import Testing
internal import TokenSecurityVectorFiles

/// The codes of errors that only `identity-service` has.
@Suite struct ServiceCodeTests {
  @Test func allCodesAreListed() throws {
    func text(_ path: String) throws -> String {
      String(decoding: try VectorFile.bytes("\(VectorFile.root)/\(path)"), as: UTF8.self)
    }
    let source = try text("Sources/Programs/identity-service/Operating/OperatingError.swift")
    let codes = source.matches(of: /case [a-zA-Z]+ = "([a-z_]+)"/).map(\.output.1)
    let listed = try text("docs/identity-service.md").matches(of: /\n\| ([a-z_]+) \|/).map(\.output.1)
      .filter { !["status", "code"].contains($0) }
    #expect(codes.count >= 7 && codes.sorted() == listed.sorted())
  }
}
