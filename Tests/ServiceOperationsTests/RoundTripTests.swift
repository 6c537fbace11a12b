internal import ServiceOperations
internal import Testing
internal import TokenSecurityVectorFiles

/// Random values of every declared operation travel from client to service and back unchanged.
@Suite struct RoundTripTests {
  static let services = [
    identityPools, userPools, securityTokenService, signingKeyService, sampleUsers, sampleRecords,
    sampleForms, sampleDatasets,
    dataSets,
  ]

  /// Reads a request as a service does.
  static func input<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ request: EncodedRequest, _ service: ServiceDeclaration
  ) throws(OperationError) -> Operation.Input {
    let router = OperationRouter(service)
    let head = OperationRequestHead(method: request.method, target: request.target, headers: request.headers)
    let route: OperationRoute
    if let found = try router.route(head) {
      route = found
    } else {
      route = try router.route(form: request.body)
    }
    #expect(ObjectIdentifier(route.operation) == ObjectIdentifier(operation))
    return try operation.input(route, request.body)
  }

  private func check<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ service: ServiceDeclaration, seed: UInt64
  ) throws {
    var samples = SampleRequests(SeededGenerator(seed: seed))
    var different: Set<[UInt8]> = []
    for _ in 0..<60 {
      let request = samples.request(operation, of: service)
      let input = try Self.input(operation, request, service)
      let again = operation.encode(input, service.binding)
      #expect(again.body == request.body && again.target == request.target && again.method == request.method)
      #expect(again.headers.map(\.value) == request.headers.map(\.value))
      different.insert(request.body + Array(request.target.utf8))
    }
    // All requests that there can be, where these are few: ids and names of one example, for instance.
    let variety = Variety.of(Operation.Input.schema)
    #expect(variety > 8 ? different.count > 8 : different.count == variety, "\(operation)")
    for _ in 0..<60 {
      guard let output = samples.value(Operation.Output.self) else {
        Issue.record("\(operation) has no valid output")
        return
      }
      let response = operation.response(output, service.binding, requestID: "r<1>")
      let back = try operation.decodeOutput(service.binding, response.body)
      #expect(operation.response(back, service.binding, requestID: "r<1>").body == response.body)
    }
  }

  @Test(arguments: 0..<8)
  func everyOperation(index: Int) throws {
    let service = Self.services[index]
    for (seed, operation) in service.operations.enumerated() {
      try check(operation, service, seed: UInt64(seed + 1))
    }
  }

  @Test func theWireOfEachBinding() throws {
    let records = UpdateRecords.encode(
      .init {
        $0.poolID = "eu-west-1:1"
        $0.identityID = "eu-west-1:2"
        $0.dataset = "a.b"
        $0.token = "t\"1"
        $0.context = "c"
        $0.patches = [
          .init {
            $0.key = "k"
            $0.count = 3
            $0.modified = Timestamp(since1970: .milliseconds(1_500))
          }
        ]
      }, .rest)
    #expect(records.method == "POST")
    #expect(
      records.target
        == "/identitypools/eu-west-1%3A1/identities/eu-west-1%3A2/datasets/a.b")
    #expect(records.headers.map(\.value) == ["application/json", "c"])
    #expect(
      String(decoding: records.body, as: UTF8.self)
        == #"{"SyncSessionToken":"t\"1","RecordPatches":[{"Op":"replace","Key":"k","SyncCount":3,"DeviceLastModifiedDate":1.5}]}"#
    )
    let list = ListRecords.encode(
      .init {
        $0.poolID = "p"
        $0.identityID = "x:1"
        $0.dataset = "d"
        $0.lastSyncCount = 7
        $0.nextToken = "a b&c"
      }, .rest)
    #expect(list.method == "GET" && list.body.isEmpty)
    #expect(list.target.hasSuffix("/datasets/d/records?lastSyncCount=7&nextToken=a%20b%26c"))

    let form = Forms.encode(
      .init {
        $0.name = "a+b"
        $0.flag = true
        $0.list = ["x", "y z"]
        $0.map = ["k": "v"]
        $0.inners = [.init { $0.name = "n" }]
        $0.instant = Timestamp(since1970: .seconds(1))
      }, sampleForms.binding)
    #expect(
      String(decoding: form.body, as: UTF8.self)
        == "Action=Forms&Version=2020-01-01&Name=a%2Bb&Flag=true&Instant=1970-01-01T00%3A00%3A01Z"
        + "&List.member.1=x&List.member.2=y%20z&Inners.member.1.Name=n&Map.entry.1.key=k&Map.entry.1.value=v"
    )
    let xml = AssumeRoleWithWebIdentity.response(
      .init {
        $0.subject = "eu-west-1:<&>\"\u{1}"
        $0.credentials = .init {
          $0.accessKeyID = "AKIAAAAAAAAAAAAAAAAA"
          $0.secretAccessKey = SecretText("s&s")
          $0.sessionToken = "t"
          $0.expiration = Timestamp(since1970: .seconds(0))
        }
      }, securityTokenService.binding, requestID: "id")
    #expect(
      String(decoding: xml.body, as: UTF8.self)
        == "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
        + "<AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>AKIAAAAAAAAAAAAAAAAA</AccessKeyId>"
        + "<SecretAccessKey>s&amp;s</SecretAccessKey><SessionToken>t</SessionToken>"
        + "<Expiration>1970-01-01T00:00:00Z</Expiration></Credentials><SubjectFromWebIdentityToken>"
        + "eu-west-1:&lt;&amp;&gt;&quot;\u{FFFD}</SubjectFromWebIdentityToken></AssumeRoleWithWebIdentityResult>"
        + "<ResponseMetadata><RequestId>id</RequestId></ResponseMetadata></AssumeRoleWithWebIdentityResponse>"
    )
  }
}

/// How many different values of members samples can have: at most 1,000 are counted.
private enum Variety {
  static func of(_ members: [MemberSchema]) -> Int {
    members.reduce(1) { count, member in bounded(count * (of(member.kind) + (member.isRequired ? 0 : 1))) }
  }

  private static func of(_ kind: MemberKind) -> Int {
    switch kind {
    case .text(let bounds), .secret(let bounds):
      bounds.pattern?.example != nil || bounds.maximum == 0 ? 1 : 1_000
    case .integer(let bounds): bounds.minimum == bounds.maximum && bounds.minimum != nil ? 1 : 1_000
    case .boolean: 2
    case .timestamp, .blob: 1_000
    case .choice(let names): names.count
    case .structure(let members): of(members)
    case .list(let elements, let count): repeated(of(elements), count)
    case .map(let keys, let values, let count, _): repeated(bounded(of(.text(keys)) * of(values)), count)
    }
  }

  private static func repeated(_ elements: Int, _ count: CountBounds) -> Int {
    elements == 1 ? count.maximum - count.minimum + 1 : 1_000
  }

  private static func bounded(_ count: Int) -> Int { min(count, 1_000) }
}
