internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// A signed call that changes something, by its signature, so that no node executes it again.
package struct StoredCall: Sendable {
  /// The digest that identifies the call.
  package let name: [UInt8]
  /// The digest of the client's name for the call.
  package let invocation: [UInt8]
  /// The digest of the client's address.
  package let address: [UInt8]
  /// When a node began to execute it.
  package let started: Timestamp
  /// The outcome of the call; nil while it is executed, and if its node failed meanwhile.
  package var outcome: Outcome?

  package enum Outcome: Sendable, Hashable {
    case response([UInt8])
    case refusal(code: String, type: String, message: String)
  }

  /// How long a signature can be valid, from a call with it: from a quarter of an hour before its date to the end
  /// of the last second of one after it.
  static let validity = Duration.seconds(1_801)
  /// Calls begin before their rows, and end later.
  private static let margin = Duration.seconds(60)

  static let encoding = RowEncoding<StoredCall>.json(
    write: { call, _ in
      var row: JSONObject = [
        "name": .string(Base64URL.string(call.name)),
        "invocation": .string(Base64URL.string(call.invocation)),
        "address": .string(Base64URL.string(call.address)),
        "started": .number(JSONNumber(call.started.seconds)),
        "nanoseconds": .number(JSONNumber(call.started.nanoseconds)),
      ]
      switch call.outcome {
      case nil: break
      case .response(let bytes)?: row["response"] = .string(Base64URL.string(bytes))
      case .refusal(let code, let type, let message)?:
        row["refusal"] = .object(["code": .string(code), "type": .string(type), "message": .string(message)])
      }
      return row
    },
    read: { row, _ in
      func bytes(_ name: String) -> [UInt8]? { row[name]?.string.flatMap { try? Base64URL.decode($0) } }
      guard let name = bytes("name"), let invocation = bytes("invocation"), let address = bytes("address"),
        let seconds = row["started"]?.int64, let nanoseconds = row["nanoseconds"]?.int64,
        let nanoseconds = Int32(exactly: nanoseconds),
        let started = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
      else { return nil }
      var call = StoredCall(name: name, invocation: invocation, address: address, started: started)
      if let refusal = row["refusal"]?.object {
        guard let code = refusal["code"]?.string, let type = refusal["type"]?.string,
          let message = refusal["message"]?.string
        else { return nil }
        call.outcome = .refusal(code: code, type: type, message: message)
      } else if row["response"] != nil {
        guard let response = bytes("response") else { return nil }
        call.outcome = .response(response)
      }
      return call
    })

  /// Until then the call is not executed again.
  var expires: Timestamp { started + Self.validity + Self.margin }
}
