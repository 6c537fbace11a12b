internal import SigV4
internal import Testing
internal import TokenSecurityCrypto

/// Signed events and their messages.
@Suite struct EventTests {
  static let events = [
    EventMessage(headers: [.init(":event-type", .string("Audio"))], payload: [1, 2, 3]),
    EventMessage(
      headers: [
        .init("a", .bool(true)), .init("b", .bool(false)), .init("c", .byte(-1)), .init("d", .int16(-2)),
        .init("e", .int32(-3)),
        .init("f", .int64(.min)), .init("g", .bytes([0, 255])), .init("h", .string("ü")),
        .init("i", .timestamp(1_440_938_160_123)),
        .init("j", .uuid([UInt8](0..<16))),
      ]),
    EventMessage(payload: [UInt8](repeating: 7, count: 10_000)),
  ]

  private func signed() throws -> SignedRequest {
    try Material.signer("transcribe").sign(
      Material.head("POST", "/stream"), body: .events, with: Material.credentials(), at: Material.now)
  }

  private func verifier(_ head: RequestHead) throws -> EventVerifier {
    let verifier = try Material.verifier("transcribe")
    return try verifier.verifyEvents(
      verifier.parse(head, at: Material.now), key: .credentials(Material.credentials()))
  }

  private func messages() throws -> (head: RequestHead, messages: [EventMessage]) {
    let signed = try signed()
    var signer = try signed.eventSigner()
    var bytes: [UInt8] = []
    for event in Self.events { bytes += try signer.sign(event, at: Material.now) }
    bytes += try signer.finish(at: Material.now)
    var rest = bytes[...]
    var messages: [EventMessage] = []
    while let message = try EventMessage.next(in: &rest) { messages.append(message) }
    #expect(rest.isEmpty)
    return (signed.head, messages)
  }

  @Test func roundTrip() throws {
    let (head, messages) = try messages()
    #expect(messages.count == Self.events.count + 1)
    var verifier = try verifier(head)
    for (message, event) in zip(messages, Self.events) {
      #expect(try verifier.verify(message, at: Material.now) == event)
    }
    #expect(try verifier.verify(messages[3], at: Material.now) == nil)
    #expect(verifier.request.accessKeyID == "AKIDEXAMPLE")
    try verifier.finish()
  }

  private func code(
    _ order: [Int], at now: Timestamp = Material.now, _ change: (inout EventMessage) -> Void = { _ in }
  ) throws
    -> SigV4Error.Code?
  {
    let (head, all) = try messages()
    var verifier = try verifier(head)
    do throws(SigV4Error) {
      for index in order {
        var message = all[index]
        change(&message)
        _ = try verifier.verify(message, at: now)
      }
      try verifier.finish()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func streamsThatLie() throws {
    #expect(try code([0, 1, 2, 3]) == nil)
    #expect(try code([0, 1, 2]) == .bodyEndedEarly)
    #expect(try code([1, 0]) == .eventSignatureMismatch)
    #expect(try code([0, 0]) == .eventSignatureMismatch)
    #expect(try code([0, 1, 2, 3, 3]) == .eventAfterEnd)
    #expect(try code([0]) { $0.payload[5] ^= 1 } == .eventSignatureMismatch)
    #expect(try code([0]) { $0.headers[0].value = .timestamp(1_440_938_161_000) } == .eventSignatureMismatch)
    #expect(try code([0]) { $0.headers[0].value = .timestamp(1_441_938_161_000) } == .requestFromFuture)
    #expect(try code([0]) { $0.headers.append(.init("x", .bool(true))) } == .eventMalformed)
    #expect(try code([0]) { $0.headers.removeLast() } == .eventMalformed)
    #expect(try code([0], at: Material.now.advanced(bySeconds: 901)) == .requestExpired)
  }

  /// A key is for one day.
  @Test func aStreamEndsWithItsDay() throws {
    var signer = try signed().eventSigner()
    #expect(
      throws: SigV4Error.scopeDateMismatch(scope: "20150830", date: Material.now.advanced(bySeconds: 86_400))
    ) {
      try signer.sign(Self.events[0], at: Material.now.advanced(bySeconds: 86_400))
    }
  }

  @Test func messagesThatLie() throws {
    let whole = try Self.events[1].encoded()
    var part = whole.dropLast()
    #expect(try EventMessage.next(in: &part) == nil)
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 0x10
      var bytes = changed[...]
      #expect(
        [.eventChecksum, .eventMalformed].contains(Material.code { _ = try EventMessage.next(in: &bytes) }),
        "byte \(index)")
    }
    var huge = EventMessage(payload: [UInt8](repeating: 0, count: EventMessage.largestMessage))
    #expect(Material.code { _ = try huge.encoded() } == .eventMalformed)
    huge = EventMessage(headers: [.init("", .bool(true))])
    #expect(Material.code { _ = try huge.encoded() } == .eventMalformed)
    huge = EventMessage(headers: [.init("a", .bytes([UInt8](repeating: 0, count: 32_768)))])
    #expect(Material.code { _ = try huge.encoded() } == .eventMalformed)
  }
}
