internal import ServiceOperations
internal import Testing

/// Members of requests that no declaration has: ignored, noted, and counted by a bounded number of names.
@Suite struct IgnoredMemberTests {
  private enum Make: ServiceOperation {
    static let declaration = OperationDeclaration("Make", .anyone, "Makes a thing.")

    struct Input: Structure {
      var name = ""
      var thing: Thing?
      var list: [Thing]?
      var map: [ExactString: Thing]?

      mutating func members(_ m: inout Members) {
        m.required("Name", &name, .any)
        m.optional("Thing", &thing)
        m.optional("List", &list, .init())
        m.optional("Map", &map, .init(keys: .any))
      }
    }

    struct Thing: Structure {
      var id: String?

      mutating func members(_ m: inout Members) { m.optional("Id", &id, .any) }
    }
  }

  private static let service = ServiceDeclaration(
    "Things", signingName: "things", .json(targetPrefix: "Things"), [Make.self], membersNotBuilt: ["Colour"])

  private static func ignored(_ body: String) throws -> [String] {
    var table = OperationTable<Int, OperationError>()
    table.on(Make.self) { (_, _) throws(OperationError) in NoMembers() }
    let head = OperationRequestHead(
      method: "POST", target: "/", headers: [(name: "X-Amz-Target", value: "Things.Make")])
    let route = try #require(try OperationRouter(service).route(head))
    let ignored = try table.call(route, Array(body.utf8)).ignored
    return ignored.map { $0.structure.isEmpty ? $0.name : "\($0.structure).\($0.name)" }.sorted()
  }

  @Test func theyAreNotedWithTheStructuresAroundThem() throws {
    #expect(try Self.ignored(#"{"Name":"a"}"#) == [])
    #expect(try Self.ignored(#"{"Name":"a","Thing":null,"List":[{"Id":"1"},null]}"#) == [])
    #expect(try Self.ignored(#"{"Name":"a","Colour":"red","name":1}"#) == ["Colour", "name"])
    #expect(
      try Self.ignored(#"{"Name":"a","Thing":{"Id":"1","Size":{"Id":"2"}},"Size":null}"#)
        == ["Size", "Thing.Size"])
    // Not the places in lists, nor the keys of maps, which the caller chose.
    #expect(
      try Self.ignored(#"{"Name":"a","List":[{"Size":1},{"Size":2},{"Id":"1"}],"Map":{"k":{"Size":1}}}"#)
        == ["List.Size", "Map.Size"])
    #expect(try Self.ignored(#"{"Name":"a","\u0043olour":"red"}"#) == ["Colour"])
  }

  @Test func aRequestHasABoundedNumber() throws {
    let names = (0..<40).map { #""n\#($0)":1"# }.joined(separator: ",")
    #expect(try Self.ignored(#"{"Name":"a",\#(names)}"#).count == 16)
    let things = (0..<40).map { #"{"n\#($0)":1}"# }.joined(separator: ",")
    #expect(try Self.ignored(#"{"Name":"a","List":[\#(things)]}"#).count == 16)
    // Structures are searched for new names sixteen times.
    let same = String(repeating: #"{"n":1},"#, count: 20)
    #expect(try Self.ignored(#"{"Name":"a","List":[\#(same){"m":1}]}"#) == ["List.n"])
  }

  @Test func fieldsOfFormsAreNotedToo() throws {
    enum Ask: ServiceOperation {
      static let declaration = OperationDeclaration("Ask", .anyone, "Asks.")
      struct Input: Structure {
        var thing: Make.Thing?
        mutating func members(_ m: inout Members) { m.optional("Thing", &thing) }
      }
    }
    let service = ServiceDeclaration(
      "Questions", signingName: "q", .query(version: "1", namespace: "n"), [Ask.self])
    var table = OperationTable<Int, OperationError>()
    table.on(Ask.self) { (_, _) throws(OperationError) in NoMembers() }
    let body = Array("Action=Ask&Version=1&Thing.Id=1&Thing.Size=2&Colour=red".utf8)
    let route = try OperationRouter(service).route(form: body)
    let ignored = try table.call(route, body).ignored
    #expect(Set(ignored.map(\.name).map { ExactString($0) }) == ["Size", "Colour"])
  }

  @Test func aRefusedMemberOfAFormIsNamed() throws {
    enum Take: ServiceOperation {
      static let declaration = OperationDeclaration("Take", .anyone, "Takes.", refusesUnknownMembers: true)
      struct Input: Structure {
        var thing: Make.Thing?
        mutating func members(_ m: inout Members) { m.optional("Thing", &thing) }
      }
    }
    let service = ServiceDeclaration(
      "Questions", signingName: "q", .query(version: "1", namespace: "n"), [Take.self])
    let body = Array("Action=Take&Version=1&Thing.Id=1&Thing.Size=2".utf8)
    let route = try OperationRouter(service).route(form: body)
    #expect(throws: OperationError.memberUnknown("Size")) { _ = try Take.input(route, body) }
  }

  @Test func labelsAreBounded() {
    var labels = IgnoredMemberLabels()
    func label(_ name: String, in operation: String = "Make", structure: String = "") -> String {
      let member = IgnoredMember(structure: structure, name: name)
      return labels.label(of: member, in: operation, known: Self.service.membersNotBuilt)
    }
    #expect(label("Size") == "Size" && label("Size", structure: "Thing") == "Thing.Size")
    for number in 0..<40 { _ = label("n\(number)") }
    #expect(label("n13") == "n13" && label("n14") == "other" && label("New") == "other")
    // A name that was seen in time stays, and a stranger's names do not displace those of the model.
    #expect(label("Size") == "Size" && label("Colour") == "Colour")
    #expect(label("Colour", structure: "Thing") == "Thing.Colour")
    // Other operations have names of their own.
    #expect(label("New", in: "Break") == "New")
  }

  @Test(arguments: [
    "", "a b", "a\n", "é", "a\"} 1\nx", "../a", "a.b", String(repeating: "a", count: 65), "\u{0}", "{}",
    "\u{212A}",
  ])
  func namesThatAreNoWordsAreOthers(_ name: String) {
    var labels = IgnoredMemberLabels()
    #expect(labels.label(of: IgnoredMember(structure: "", name: name), in: "Make", known: []) == "other")
    #expect(labels.label(of: IgnoredMember(structure: "", name: "a_B-9"), in: "Make", known: []) == "a_B-9")
  }
}
