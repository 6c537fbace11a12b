internal import HTTPExchange
internal import Testing

/// Header fields.
@Suite struct TransportHeadersTests {
  @Test func namesAreComparedWithoutCase() {
    var headers: TransportHeaders = ["ETag": "\"a\"", "Accept": "text/plain"]
    #expect(headers["etag"] == "\"a\"")
    #expect(headers["content-type"] == nil)
    headers["etag"] = "\"b\""
    #expect(headers.fields.map(\.name) == ["Accept", "etag"])
    headers["ACCEPT"] = nil
    #expect(headers.fields.count == 1)
  }

  @Test func fieldsOfOneNameAreJoined() {
    var headers = TransportHeaders([(name: "Cache-Control", value: "no-store")])
    headers.append("cache-control", "max-age=5")
    #expect(headers["Cache-Control"] == "no-store, max-age=5")
    #expect(headers.fields.count == 2)
  }
}
