public import TokenSecurityEncodings

/// Whoever can ask a web server for a document.
///
/// Any HTTP client can serve. `OpenIDConnectHTTP` has one over async-http-client. An implementation must
///
/// - follow no redirect: the answer of status 3xx is the answer;
/// - check the server's certificate and its name;
/// - stop reading at ``FetchRequest/sizeLimit`` and throw ``FetchFault/tooLarge(limit:)``;
/// - end soon when its task is cancelled, which is how a fetch that takes too long is ended.
public protocol HTTPFetching: Sendable {
  /// Asks for one document.
  func fetch(_ request: FetchRequest) async throws(FetchFault) -> FetchResponse
}

/// A question to a web server: GET an address.
public struct FetchRequest: Sendable {
  /// What is asked for.
  public let address: WebAddress
  /// The header fields to send: `Accept`, and `If-None-Match` where an earlier answer had an `ETag`.
  public let fields: [ExactString: String]
  /// The most bytes of the body that may be read.
  public let sizeLimit: Int
  /// How long the whole of it may take.
  public let timeout: Duration

  /// A question.
  public init(address: WebAddress, fields: [ExactString: String], sizeLimit: Int, timeout: Duration) {
    self.address = address
    self.fields = fields
    self.sizeLimit = sizeLimit
    self.timeout = timeout
  }
}

/// A web server's answer.
public struct FetchResponse: Sendable {
  /// The status, 100 to 599.
  public let status: Int
  /// The body.
  public let body: [UInt8]
  private let fields: [ExactString: String]

  /// An answer. Fields that came more than once are joined by commas (RFC 9110 section 5.3).
  public init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.body = body
    self.fields = fields.reduce(into: [:]) { all, field in
      let name = ExactString(field.name.lowercasedASCII)
      all[name] = all[name].map { $0 + ", " + field.value } ?? field.value
    }
  }

  /// The field called `name`, whose case does not matter.
  public subscript(name: String) -> String? { fields[ExactString(name.lowercasedASCII)] }
}
