internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The Swift blocks of guides, DocC pages and documentation comments compile.
///
/// On a page, a block sees what earlier blocks declare. In a comment, each block is compiled alone. Names
/// that a reader has already, such as the request, are declared in `Givens/GUIDE.swift` or
/// `Givens/MODULE.swift`. An article of a module is a page of its own, with the comments of the folder of its name.
///
/// They compile fast: what readers wait for is a property of the public interface, whose types their compiler
/// takes apart.
@Suite struct DocumentationTests {
  /// A guide, or the documentation of a module: files that are compiled together, with the same givens.
  struct Unit: CustomTestStringConvertible, Sendable {
    var name: String
    var files: [String]
    /// Swift files of the blocks.
    var programs: [String]

    var testDescription: String { name }
    var givens: String { "\(DocumentationTests.givens)/\(name).swift" }

    // Readers of a module's documentation import it; `module` is nil for a guide. Files without Swift blocks
    // are left out.
    init(name: String, module: String?, paths: [String]) throws {
      self.name = name
      files = []
      programs = []
      for path in paths {
        let text = try String(contentsOfFile: "\(VectorFile.root)/\(path)", encoding: .utf8)
        let isPage = path.hasSuffix(".md")
        let code = isPage ? CodeBlocks(markdown: text) : CodeBlocks(commentsOf: text)
        guard !code.blocks.isEmpty else { continue }
        files.append(path)
        programs.append(code.program(name: path, module: module, isPage: isPage))
      }
    }
  }

  /// A page of a module.
  private struct Page: Hashable {
    let module: String
    let name: String
  }

  static let givens = "Tests/ArchitectureTests/Givens"

  static let units: Result<[Unit], any Error> = Result {
    let guides = (files(in: "", subfolders: false) + files(in: "docs")).filter { $0.hasSuffix(".md") }
    let sources = files(in: "Sources").filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }
    let articles = Set(sources.filter { $0.hasSuffix(".md") })
    let pages = Dictionary(grouping: sources) { path in
      let parts = path.split(separator: "/").map(String.init)
      let folder = parts.count > 4 ? parts[3] : ""
      let name =
        if path.hasSuffix(".md") {
          String(parts[parts.count - 1].dropLast(3))
        } else {
          articles.contains("Sources/\(parts[1])/\(parts[2])/Documentation.docc/\(folder).md")
            ? folder : parts[2]
        }
      return Page(module: parts[2], name: name)
    }
    let all =
      try guides.map {
        try Unit(name: String($0.dropLast(3).split(separator: "/").last ?? ""), module: nil, paths: [$0])
      }
      + pages.sorted { $0.key.name < $1.key.name }.map {
        try Unit(name: $0.key.name, module: $0.key.module, paths: $0.value)
      }
    return all.filter { !$0.programs.isEmpty }
  }

  @Test(arguments: try units.get()) func blocksCompile(of unit: Unit) async throws {
    let hasGivens = FileManager.default.fileExists(atPath: "\(VectorFile.root)/\(unit.givens)")
    let check = try await Self.check(unit.programs, givens: hasGivens ? [unit.givens] : [])
    #expect(check.status == 0, "\(check.output)")
    #expect(check.seconds <= 10, "\(unit.name) takes \(check.seconds) s of CPU time")
  }

  /// A sign-in is the largest type of the public interface that readers take apart.
  @Test func aSignInCompilesFast() async throws {
    let path = "Sources/Clients/CognitoUserPoolClient/SignIn/SignInStep.swift"
    let unit = try Unit(name: "CognitoUserPoolClient", module: "CognitoUserPoolClient", paths: [path])
    let check = try await Self.check(unit.programs, givens: [unit.givens])
    #expect(check.status == 0, "\(check.output)")
    #expect(check.seconds < 3, "the sign-in takes \(check.seconds) s of CPU time")
  }

  @Test func thereAreBlocksOfAllKinds() throws {
    let files = try Self.units.get().flatMap(\.files)
    for file in ["README.md", "docs/signing-in.md", "Sources/Standards/JOSE/Documentation.docc/JOSE.md"] {
      #expect(files.contains(file))
    }
  }

  @Test func givensBelongToAPage() throws {
    let expected = try Self.units.get().map(\.givens) + ["\(Self.givens)/Given.swift"]
    #expect(Set(Self.files(in: Self.givens)).subtracting(expected).isEmpty)
  }

  @Test func aBrokenBlockIsFoundByItsLine() async throws {
    let page = """
      ```swift
      import JOSE
      let key = try JWK.generate(.es256)
      ```
      And then:
      ```swift
      let signer = try TokenSigner(key: key)
      let token = signer.issue(TokenClaims())
      ```
      """
    let program = CodeBlocks(markdown: page).program(name: "page.md", module: nil, isPage: true)
    let pageCheck = try await Self.check([program])
    #expect(pageCheck.status != 0)
    #expect(
      pageCheck.output.contains("page.md:8:13: error: call can throw but is not marked with 'try'"),
      "\(pageCheck.output)")
    let comments = """
      /// A number.
      ///
      ///     let number = 1
      struct Number {
        /// Another.
        ///
        /// ```swift
        /// let next = number + 1
        /// ```
        var next = 2
      }
      """
    let file = CodeBlocks(commentsOf: comments).program(name: "Number.swift", module: nil, isPage: false)
    let fileCheck = try await Self.check([file])
    #expect(fileCheck.status != 0)
    #expect(
      fileCheck.output.contains("Number.swift:8:12: error: cannot find 'number' in scope"),
      "\(fileCheck.output)")
  }

  private static func check(
    _ programs: [String], givens: [String] = []
  ) async throws -> Compiler.Check {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths = (givens + ["\(Self.givens)/Given.swift"]).map { "\(VectorFile.root)/\($0)" }
    for (number, program) in programs.enumerated() {
      let path = folder.appending(path: "\(number).swift")
      try program.write(to: path, atomically: true, encoding: .utf8)
      paths.append(path.path())
    }
    return try await Compiler.check(paths)
  }

  private static func files(in folder: String, subfolders: Bool = true) -> [String] {
    let path = "\(VectorFile.root)/\(folder)"
    let names =
      subfolders
      ? FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
      : try? FileManager.default.contentsOfDirectory(atPath: path)
    return (names ?? []).map { folder.isEmpty ? $0 : "\(folder)/\($0)" }.sorted()
  }
}
