internal import HTTPExchange
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

@testable internal import CognitoUserPool

/// The bounds of codes that replace a password: by name, address and day.
@Suite struct CodeGuessTests {
  /// A store, and a clock of its own.
  struct Place: Sendable {
    static let pool = "us-east-1_aaaaaaaaa"
    static let start = Timestamp(seconds: 1_800_000_000)

    let store: any RecordStore
    let secrets: UserPoolSecrets
    let way: CodeWay

    init(_ kind: StoreKind = .memory, _ way: CodeWay = .reset) async throws {
      store = try await kind.make()
      secrets = try UserPoolSecrets(master: SecretBytes(count: 32) { $0[0] = 1 })
      self.way = way
    }

    func code(_ subject: LimitSubject, from address: String?) throws -> GuessedCode {
      var isUnknown = true
      if case .user = subject { isUnknown = false }
      return try GuessedCode(
        way, subject.key(in: Self.pool, secrets), isUnknown: isUnknown, in: Self.pool,
        from: ClientAddress(address.flatMap { IPAddress($0[...]) }), secrets)
    }

    /// Enters a code, and returns the code of the refusal that comes before it is judged; empty for none.
    func enter(
      _ subject: LimitSubject = .user("a"), from address: String? = "192.0.2.1", isRight: Bool = false,
      after time: Duration = .zero
    ) async throws -> String {
      let code = try code(subject, from: address)
      do throws(UserPoolError) {
        try await store.write(at: Self.start + time) { rows throws(UserPoolError) in
          try rows.checkGuesses(code)
          try rows.countGuess(code)
          if isRight { try rows.forgetGuesses(code) }
        }
        return ""
      } catch {
        return error.codeText
      }
    }

    func rows() async throws -> [AttemptRow] {
      try await store.read(at: Self.start, .fresh) { rows throws(UserPoolError) in
        try rows.scan(UserPoolTables.attempts, limit: 1_000)
      }
    }
  }

  static let day = Duration.seconds(86_400)

  /// Twenty from one address; others are not affected before there are sixty.
  @Test(arguments: StoreKind.allCases) func addresses(_ kind: StoreKind) async throws {
    let place = try await Place(kind)
    for last in 1...3 {
      for _ in 0..<20 { #expect(try await place.enter(from: "192.0.2.\(last)") == "") }
      #expect(try await place.enter(from: "192.0.2.\(last)") == "attempt_limit_exceeded")
    }
    // An attacker with many addresses has no more.
    for last in 4...9 { #expect(try await place.enter(from: "192.0.2.\(last)") == "attempt_limit_exceeded") }
    #expect(try await place.enter(from: nil) == "attempt_limit_exceeded")
    // Another user, another way.
    #expect(try await place.enter(.user("b")) == "")
    #expect(try await place.enter(.unknown("a")) == "")
    // Refused codes are not counted, and a day ends.
    #expect(try await place.enter(after: Self.day - .seconds(1)) == "attempt_limit_exceeded")
    #expect(try await place.enter(after: Self.day) == "")
  }

  /// An IPv6 network of 64 bits is one address; an IPv4 address is the same in both forms.
  @Test func networks() async throws {
    let place = try await Place()
    for number in 0..<20 { #expect(try await place.enter(from: "2001:db8:0:1::\(number)") == "") }
    #expect(try await place.enter(from: "2001:db8:0:1:ffff::1") == "attempt_limit_exceeded")
    #expect(try await place.enter(from: "2001:db8:0:2::1") == "")
    for _ in 0..<20 { #expect(try await place.enter(from: "192.0.2.9") == "") }
    #expect(try await place.enter(from: "::ffff:192.0.2.9") == "attempt_limit_exceeded")
    let bytes = ClientAddress(IPAddress("2001:db8:0:1::5"[...])).bytes
    #expect(bytes == [6, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 1])
    #expect(ClientAddress(IPAddress("192.0.2.9"[...])).bytes == [4, 0, 0, 0, 0, 192, 0, 2, 9])
    #expect(ClientAddress.unknown.bytes == [UInt8](repeating: 0, count: 9))
  }

  /// Clients whom a proxy does not name have the proxy's address in messages and audit lines, and do not count as the proxy.
  @Test func unnamedClientsOfAProxy() throws {
    let proxy = try #require(IPAddress("192.0.2.9"[...]))
    var context = CallContext(address: proxy.text)
    #expect(context.client == ClientAddress(proxy))
    context.counted = ClientAddress(unnamedBehind: proxy)
    #expect(context.client.bytes == [0x84, 0, 0, 0, 0, 192, 0, 2, 9] && context.address == proxy.text)
  }

  /// A right code forgets the wrong ones from its own address alone, and others cannot use up what it has from then on.
  @Test(arguments: [StoreKind.memory, .sqlite]) func knownAddresses(_ kind: StoreKind) async throws {
    let place = try await Place(kind)
    let home = "198.51.100.7"
    for _ in 0..<19 { #expect(try await place.enter(from: home) == "") }
    #expect(try await place.enter(from: home, isRight: true) == "")
    let row = try #require(try await place.rows().first)
    #expect(row.count == 0 && row.sources.map(\.count) == [0])
    for last in 1...3 { for _ in 0..<20 { _ = try await place.enter(from: "192.0.2.\(last)") } }
    #expect(try await place.enter(from: "192.0.2.4") == "attempt_limit_exceeded")
    for _ in 0..<20 { #expect(try await place.enter(from: home) == "") }
    #expect(try await place.enter(from: home) == "attempt_limit_exceeded")
    // A right code there gives the others nothing back.
    #expect(try await place.enter(from: home, isRight: true, after: Self.day) == "")
    for last in 1...3 {
      for _ in 0..<20 { _ = try await place.enter(from: "192.0.2.\(last)", after: Self.day) }
    }
    #expect(try await place.enter(from: home, isRight: true, after: Self.day) == "")
    #expect(try await place.enter(from: "192.0.2.4", after: Self.day) == "attempt_limit_exceeded")
    // After 30 days it is an address like others.
    let later = Self.day + CodeGuesses.knownTime
    for last in 1...3 { for _ in 0..<20 { _ = try await place.enter(from: "192.0.2.\(last)", after: later) } }
    #expect(try await place.enter(from: home, after: later) == "attempt_limit_exceeded")
  }

  /// A clock that is set back begins another day, and makes none longer: codes are not refused until the earlier
  /// clock's day ends. Seconds between the clocks of nodes begin none.
  @Test func aClockThatWasSetBack() async throws {
    let place = try await Place()
    let ahead = Duration.seconds(40 * 86_400)
    for _ in 0..<20 { _ = try await place.enter(after: ahead) }
    #expect(try await place.enter(after: ahead - .seconds(60)) == "attempt_limit_exceeded")
    for _ in 0..<20 { #expect(try await place.enter() == "") }
    #expect(try await place.enter() == "attempt_limit_exceeded")
    #expect(try await place.enter(after: Self.day - .seconds(1)) == "attempt_limit_exceeded")
    #expect(try await place.enter(after: Self.day) == "")
  }

  /// From the fifth wrong code on an address waits, where users type nothing but the code.
  @Test func waits() async throws {
    let place = try await Place(.memory, .sms)
    for _ in 0..<5 { #expect(try await place.enter() == "") }
    #expect(try await place.enter() == "password_attempts_exceeded")
    #expect(try await place.enter(from: "192.0.2.2") == "")
    #expect(try await place.enter(after: .seconds(1)) == "")
    #expect(try await place.enter(after: .seconds(2)) == "password_attempts_exceeded")
    #expect(try await place.enter(after: .seconds(3)) == "")
    // A quiet quarter of an hour forgets none of them: 13 are left.
    var time = Duration.seconds(3)
    for _ in 0..<13 {
      time += .seconds(1_000)
      #expect(try await place.enter(after: time) == "")
    }
    time += .seconds(1_000)
    #expect(try await place.enter(after: time) == "password_attempts_exceeded")
    // The refusal of the day is that of the wait: the operation declares no other.
    #expect(
      CodeWay.email.refusal == .passwordAttemptsExceeded && CodeWay.reset.refusal == .attemptLimitExceeded)
  }

  /// Of codes at the same time no more are judged than the bounds allow.
  @Test(arguments: [StoreKind.memory, .sqlite]) func atTheSameTime(_ kind: StoreKind) async throws {
    let place = try await Place(kind)
    let judged = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask { try await place.enter(from: "192.0.2.\(number % 2)") == "" }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(judged == 40)
    #expect(try await place.rows().map(\.count) == [40])
  }

  /// Names that no user has get the same answers, and share a number of rows that strangers cannot exceed.
  @Test(arguments: [StoreKind.memory, .sqlite], CodeWay.allCases)
  func unknownNames(_ kind: StoreKind, _ way: CodeWay) async throws {
    let place = try await Place(kind, way)
    var answers: [[String]] = []
    for subject in [LimitSubject.user("a"), .unknown("a")] {
      var all: [String] = []
      var time = Duration.zero
      for number in 0..<70 {
        all.append(try await place.enter(subject, from: "192.0.2.\(number % 2)", after: time))
        if number.isMultiple(of: 3) { time += .seconds(700) }
      }
      answers.append(all)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].contains("") && answers[0].contains { !$0.isEmpty })
    for number in 0..<200 { #expect(try await place.enter(.unknown("\(number)")) == "") }
    let rows = try await place.rows()
    let slots = rows.filter { $0.owner != nil }
    #expect(slots.count > 190)
    for row in slots {
      let slot = row.key.reduce(0) { $0 << 8 | Int($1) }
      #expect(row.key.count == 4 && slot < 1 << GuessedCode.slotBits)
    }
    #expect(rows.count == slots.count + 1)
  }

  /// Two unknown names in one row do not count for each other.
  @Test func sharedRows() async throws {
    let place = try await Place()
    func code(_ last: UInt8) throws -> GuessedCode {
      try GuessedCode(
        .reset, [UInt8](repeating: 7, count: 31) + [last], isUnknown: true, in: Place.pool,
        from: .unknown, place.secrets)
    }
    let (first, second) = (try code(1), try code(2))
    #expect(first.recordKey == second.recordKey)
    try await place.store.write(at: Place.start) { rows throws(UserPoolError) in
      for _ in 0..<20 { try rows.countGuess(first) }
      try rows.checkGuesses(second)
    }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await place.store.write(at: Place.start) { rows throws(UserPoolError) in
        try rows.checkGuesses(first)
      }
    }
  }

  /// The bytes of a row: 60 wrong codes from 60 addresses, and eight known ones.
  @Test func theLargestRow() async throws {
    let place = try await Place()
    for number in 0..<20 {
      #expect(try await place.enter(from: "198.51.100.\(number)", isRight: true) == "")
      #expect(try await place.enter(from: "198.51.100.\(number)", after: .seconds(1)) == "")
    }
    for number in 0..<200 { _ = try await place.enter(from: "192.0.2.\(number)", after: .seconds(2)) }
    let row = try #require(try await place.rows().first)
    #expect(row.sources.count { $0.known != nil } == CodeGuesses.knownLimit)
    #expect(row.sources.count <= Int(CodeGuesses.limit) + CodeGuesses.knownLimit)
    #expect(row.count == CodeGuesses.limit)
    // The size that the guide states.
    #expect(row.json.count < 5_000)
    var small = AttemptRow()
    small.poolID = Place.pool
    small.kind = CodeWay.email.name
    small.key = [0, 0, 0, 1]
    small.owner = [UInt8](repeating: 1, count: 32)
    small.first = Place.start
    small.sources = [row.sources[0]]
    #expect(small.json.count < 320)
  }
}
