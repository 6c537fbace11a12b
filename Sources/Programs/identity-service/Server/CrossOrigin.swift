internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import TokenSecurityBase

/// Lets pages of other web origins call the service (Fetch Standard section 3.3). Without allowed origins no
/// response says anything of it, so that browsers refuse such calls.
final class CrossOrigin: Sendable {
  private let origins: Mutex<AllowedOrigins>

  /// The header fields that SDKs in browsers send.
  private static let requestFields = [
    "authorization", "cache-control", "content-type", "amz-sdk-invocation-id", "amz-sdk-request",
    "x-amz-client-context", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token", "x-amz-target",
    "x-amz-user-agent",
  ].joined(separator: ", ")
  /// The header fields that pages may read.
  private static let responseFields = "x-amzn-RequestId, x-amzn-ErrorType, x-amzn-ErrorMessage, Date"
  /// The seconds for which a browser keeps the answer to a preflight.
  private static let age = "7200"

  init(_ origins: AllowedOrigins) { self.origins = Mutex(origins) }

  /// Sets the allowed origins for requests from now on.
  func set(_ origins: AllowedOrigins) { self.origins.withLock { $0 = origins } }

  /// Answers a preflight; nil for another request, and where no origin is allowed.
  func preflight(_ request: Request) -> Response? {
    guard request.method.rawValue == "OPTIONS", request.headers.contains(.accessControlRequestMethod),
      !origins.withLock({ $0.isEmpty })
    else { return nil }
    var response = Response(status: .noContent)
    guard allow(request, &response) else { return response }
    response.headers[.accessControlAllowMethods] = "GET, POST, DELETE"
    response.headers[.accessControlAllowHeaders] = Self.requestFields
    response.headers[.accessControlMaxAge] = Self.age
    return response
  }

  /// Adds the fields that let a page read a response.
  func expose(_ response: inout Response, to request: Request) {
    guard !origins.withLock({ $0.isEmpty }), allow(request, &response) else { return }
    response.headers[.accessControlExposeHeaders] = Self.responseFields
  }

  /// Adds the fields that name the origin. Returns false where it is not allowed, or there is none.
  private func allow(_ request: Request, _ response: inout Response) -> Bool {
    let origins = origins.withLock { $0 }
    // A response that a cache keeps for one origin is not for another one.
    if !origins.allowsAll { response.headers.append(HTTPField(name: .vary, value: "Origin")) }
    let sent = request.headers[values: .origin]
    guard sent.count == 1, origins.contains(sent[0]) else { return false }
    response.headers[.accessControlAllowOrigin] = origins.allowsAll ? AllowedOrigins.all : sent[0]
    return true
  }
}
