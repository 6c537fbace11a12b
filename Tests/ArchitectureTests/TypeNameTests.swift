internal import Testing
internal import TokenSecurityBase

/// The name of a public type belongs to one library: programs import several, and write it without the module's name.
@Suite struct TypeNameTests {
  @Test func publicTypesHaveNamesOfTheirOwn() async throws {
    var libraries: [ExactString: [String]] = [:]
    for library in try await Manifest.ofThisPackage.value.libraries.sorted() {
      for type in try await Compiler.publicTypes(of: library) {
        libraries[ExactString(type), default: []].append(library)
      }
    }
    for (type, places) in libraries where places.count > 1 {
      Issue.record("\(type) is a public type of \(places.joined(separator: " and "))")
    }
    // `MODULE.Type` would be a member of the type.
    for module in ModuleFolders.names {
      #expect(libraries[ExactString(module)] == nil, "\(module) is a module and a public type")
    }
    #expect(libraries["UserPool"] == ["CognitoUserPoolClient"] && libraries["JWK"] == ["JOSE"])
  }
}
