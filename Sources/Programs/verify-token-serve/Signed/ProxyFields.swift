internal import Hummingbird
internal import HTTPTypes
internal import OpenIDConnect
internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// The fields by which a proxy passes on the parts of a request that its question does not have.
struct ProxyFields: Sendable, Hashable {
  private let method: String
  private let target: String
  private let host: String
  private let length: String
  /// The field with the client's address; nil for none.
  private let address: String?

  init(_ object: inout DocumentObject) throws(PolicyDocumentError) {
    (method, target) = try object.requestLineFields()
    host = try object.fieldName("host_header") ?? "Host"
    length = try object.fieldName("length_header") ?? "X-Original-Content-Length"
    address = try object.fieldName("address_header")
  }

  /// The request that a question is about.
  struct Found {
    var head: RequestHead
    /// The announced length of the body; nil if the proxy does not know one.
    let length: String?
    let address: String?
  }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - request: the question.
  ///   - fields: its fields.
  ///   - hasBody: whether the question has the request's body, and so its length.
  /// - Returns: the request; nil if the proxy has left a part out, or if the address is not one. A list would begin with what the
  ///   client has made up.
  func read(_ request: Request, _ fields: RequestFields, hasBody: Bool) -> Found? {
    guard let method = fields.single(method), let target = fields.single(target),
      let host = host.isEqualIgnoringASCIICase(to: "host") ? request.head.authority : fields.single(host)
    else { return nil }
    var address: String?
    if let name = self.address {
      guard let found = fields.single(name), IPAddress(found[...]) != nil else { return nil }
      address = found
    }
    var head = RequestHead(method, target)
    head.headers.reserveCapacity(request.headers.count + 2)
    head.headers.append(HeaderField("Host", host))
    for field in request.headers where hasBody || !Self.isOfQuestion(field.name) {
      // The server has it as the authority. Where the proxy passes the host on in another field, this is the sidecar's.
      guard !field.name.rawName.isEqualIgnoringASCIICase(to: "host") else { continue }
      head.headers.append(HeaderField(field.name.rawName, field.value))
    }
    let length = hasBody ? request.headers[.contentLength] : fields.single(self.length)
    if !hasBody, let length { head.headers.append(HeaderField("Content-Length", length)) }
    return Found(head: head, length: length, address: address)
  }

  /// Fields that say how the question itself is sent.
  private static func isOfQuestion(_ name: HTTPField.Name) -> Bool {
    name == .contentLength || name == .transferEncoding
  }
}
