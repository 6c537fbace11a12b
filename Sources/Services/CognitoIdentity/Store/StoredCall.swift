package import Records
package import TokenLifetime

/// A signed call that changes something, by its signature, so that no node executes it again.
package struct StoredCall: StoredFields {
  /// The digest that identifies the call.
  package private(set) var name: [UInt8]
  /// The digest of the client's name for the call.
  package private(set) var invocation: [UInt8]
  /// The digest of the client's address.
  package private(set) var address: [UInt8]
  /// When a node began to execute it.
  package private(set) var started: Timestamp
  /// The outcome of the call; nil while it is executed, and if its node failed meanwhile.
  package var outcome: Outcome?

  package enum Outcome: Sendable, Hashable {
    case response([UInt8])
    case refusal(Refusal)
  }

  /// The error that a call was refused with.
  package struct Refusal: StoredFields, Hashable {
    package var code = ""
    package var type = ""
    package var message = ""

    package init() {}

    package mutating func fields(_ f: inout RowFields) {
      f.text("code", &code)
      f.text("type", &type)
      f.text("message", &message)
    }
  }

  /// How long a signature can be valid, from a call with it: from a quarter of an hour before its date to the end
  /// of the last second of one after it.
  static let validity = Duration.seconds(1_801)
  /// Calls begin before their rows, and end later.
  private static let margin = Duration.seconds(60)

  package init(name: [UInt8], invocation: [UInt8], address: [UInt8], started: Timestamp) {
    self.name = name
    self.invocation = invocation
    self.address = address
    self.started = started
  }

  package init() { self.init(name: [], invocation: [], address: [], started: Timestamp(seconds: 0)) }

  package mutating func fields(_ f: inout RowFields) {
    f.bytes("name", &name)
    f.bytes("invocation", &invocation)
    f.bytes("address", &address)
    var (seconds, nanoseconds) = (started.seconds, Int64(started.nanoseconds))
    f.number("started", &seconds)
    f.number("nanoseconds", &nanoseconds)
    if let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds) { started = time } else { f.damage() }
    var response: [UInt8]? = if case .response(let sealed)? = outcome { sealed } else { nil }
    var refusal: Refusal? = if case .refusal(let refusal)? = outcome { refusal } else { nil }
    f.optional("response", &response)
    f.optional("refusal", &refusal)
    outcome = refusal.map { .refusal($0) } ?? response.map { .response($0) }
  }

  /// Until then the call is not executed again.
  var expires: Timestamp { started + Self.validity + Self.margin }
}
