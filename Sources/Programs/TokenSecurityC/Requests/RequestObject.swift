internal import SigV4
internal import Synchronization
internal import TokenSecurityBase

/// The object of a `ts_request`: a request that is built, signed or verified.
final class RequestObject: Sendable {
  private struct State {
    var head: RequestHead
    var body: [UInt8] = []
    /// The texts that C has pointers to, by name and value of each header field.
    var texts: [(name: CText, value: CText)]?
  }

  private let state: Mutex<State>

  /// Maximum number of header fields in a request.
  static let fieldLimit = 256

  init(_ head: RequestHead) { state = Mutex(State(head: head)) }

  var head: RequestHead { state.withLock { $0.head } }
  var body: [UInt8] { state.withLock { $0.body } }

  func add(_ field: HeaderField) throws(CallError) {
    let isAdded = state.withLock { state in
      guard state.head.headers.count < Self.fieldLimit else { return false }
      state.head.headers.append(field)
      state.texts = nil
      return true
    }
    guard isAdded else {
      throw .argumentOutOfRange(
        "request", rule: "has \(Self.fieldLimit) header fields, the most that it can have")
    }
  }

  func set(body: [UInt8]) { state.withLock { $0.body = body } }

  func set(head: RequestHead) {
    state.withLock { state in
      state.head = head
      state.texts = nil
    }
  }

  /// The name and value of a header field; nil beyond the last one.
  func field(_ index: UInt) -> (name: CText, value: CText)? {
    state.withLock { state in
      let texts = state.texts ?? state.head.headers.map { (CText($0.name), CText($0.value)) }
      state.texts = texts
      return index < UInt(texts.count) ? texts[Int(index)] : nil
    }
  }
}

/// The object of a `ts_request_verifier`.
final class RequestVerifierObject: Sendable {
  let verifier: RequestVerifier
  init(_ verifier: RequestVerifier) { self.verifier = verifier }
}
