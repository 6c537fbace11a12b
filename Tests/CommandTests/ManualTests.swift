internal import TokenSecurityEncodings
internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The man page knows every option, and no other.
@Suite struct ManualTests {
  @Test func everyOptionIsDescribed() throws {
    let page = String(decoding: try VectorFile.bytes("\(VectorFile.root)/docs/verify-token.1"), as: UTF8.self)
      .replacing("\\-", with: "-")
    let described = Set(page.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
    let options = try names(in: try dump())
    #expect(options.count > 20)
    #expect(options.union(["--generate-completion-script"]) == described)
  }

  @Test func theVersionIsTheSameEverywhere() throws {
    let page = String(decoding: try VectorFile.bytes("\(VectorFile.root)/docs/verify-token.1"), as: UTF8.self)
    let changes = String(decoding: try VectorFile.bytes("\(VectorFile.root)/CHANGELOG.md"), as: UTF8.self)
    let version = try #require(page.firstMatch(of: /"verify-token ([0-9.]+)"/)).output.1
    #expect(changes.contains("## \(version)"))
  }

  /// What ArgumentParser says of the command.
  private func dump() throws -> JSONValue {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = Process()
    process.executableURL = products.appending(path: "verify-token")
    process.arguments = ["--experimental-dump-help"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONValue(parsing: [UInt8](output))
  }

  private func names(in value: JSONValue) throws -> Set<String> {
    if let array = value.array { return try array.reduce(into: []) { $0.formUnion(try names(in: $1)) } }
    guard let object = value.object else { return [] }
    var found: Set<String> = []
    if object["kind"] == "long", let name = object["name"]?.string { found.insert("--" + name) }
    for member in object.members { found.formUnion(try names(in: member.value)) }
    return found
  }
}
