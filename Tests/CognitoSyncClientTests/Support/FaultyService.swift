internal import HTTPExchange
internal import Synchronization

/// A service that lists the records that a test makes, and whose answer to changes has no record. After 200 calls it
/// fails, so that a client that never ends does.
final class FaultyService: HTTPTransport {
  private let records: @Sendable (Int) -> String
  private let number = Mutex(0)

  /// - Parameter records: the records of a page by its number, from 1, as JSON. Empty: the only page has none.
  init(pages records: @escaping @Sendable (Int) -> String) { self.records = records }

  var calls: Int { number.withLock { $0 } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let call = number.withLock { number in
      number += 1
      return number
    }
    guard call <= 200 else { throw .connection("there were 200 calls") }
    return TransportResponse(
      status: 200, headers: ["Content-Type": "application/json"],
      body: Array((request.method == "POST" ? #"{"Records": []}"# : page(call)).utf8))
  }

  private func page(_ number: Int) -> String {
    let page = records(number)
    let next = page.isEmpty ? "" : #", "NextToken": "next""#
    return #"""
      {"Records": [\#(page)], "SyncSessionToken": "token", "DatasetSyncCount": 1, "DatasetExists": true\#(next)}
      """#
  }
}
