internal import HTTPExchange
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityPlatform

/// The type `ts_fetch_function`: fetches one document on the calling thread.
public typealias FetchFunction = @convention(c) (UnsafeMutableRawPointer?, FetchHandle?) -> Int32

/// The object of a `ts_fetch`: one request, and what the caller's function has of its response.
final class FetchObject: Sendable {
  let method: CText
  let url: CText
  let headers: [(name: CText, value: CText)]
  /// The body of the request, which may have a secret.
  let body: BufferObject
  let sizeLimit: Int
  /// A PEM file; nil for the machine's certificates.
  let trustRoots: CText?
  /// The end of its time, in milliseconds of uptime.
  private let end: Int64
  private let response = Mutex(Response())

  private struct Response {
    var status: Int?
    var headers = TransportHeaders()
    var headerSize = 0
    var body: [UInt8] = []
    /// The first limit that was broken.
    var brokenLimit: Int?
    var reason: String?

    /// True where the function has given nothing.
    var isEmpty: Bool {
      status == nil && headerSize == 0 && body.isEmpty && brokenLimit == nil && reason == nil
    }
  }

  /// Maximum number of bytes of all header fields.
  static let headerLimit = 64 << 10
  /// Bytes that a field counts besides its name and value, as in HTTP/2: empty ones take memory, too.
  private static let fieldSize = 32

  init(_ request: TransportRequest, trustRoots: String?) {
    method = CText(request.method)
    url = CText(request.url.description)
    headers = request.headers.fields.map { (CText($0.name), CText($0.value)) }
    body = BufferObject(request.body)
    sizeLimit = request.limits.responseSize
    self.trustRoots = trustRoots.map { CText($0) }
    end = SystemClock.uptimeMilliseconds.saturatingSum(request.limits.timeout.wholeMilliseconds)
  }

  /// The milliseconds that are left.
  var millisecondsLeft: UInt32 { UInt32(clamping: end.saturatingDifference(SystemClock.uptimeMilliseconds)) }

  func set(status: Int) { response.withLock { $0.status = status } }

  func fail(_ reason: String) { response.withLock { $0.reason = reason } }

  /// Adds a header field.
  ///
  /// - Throws: `tooLarge` for more than 64 KiB in all. The response is then refused.
  func add(header name: String, _ value: String) throws(TransportError) {
    let isTooLarge = response.withLock { response in
      response.headerSize += name.utf8.count + value.utf8.count + Self.fieldSize
      guard response.headerSize <= Self.headerLimit else {
        response.brokenLimit = response.brokenLimit ?? Self.headerLimit
        response.headers = TransportHeaders()
        return true
      }
      response.headers.append(name, value)
      return false
    }
    if isTooLarge { throw .tooLarge(limit: Self.headerLimit) }
  }

  /// Adds bytes of the body.
  ///
  /// - Throws: `tooLarge` for more than the limit in all. The response is then refused.
  func add(body: UnsafeBufferPointer<UInt8>) throws(TransportError) {
    let limit = sizeLimit
    let isTooLarge = response.withLock { response in
      guard response.body.count + body.count <= limit else {
        response.brokenLimit = response.brokenLimit ?? limit
        response.body = []
        return true
      }
      unsafe response.body.append(contentsOf: body)
      return false
    }
    if isTooLarge { throw .tooLarge(limit: limit) }
  }

  /// The response, when the function has returned.
  ///
  /// - Parameter returned: what it has returned.
  /// - Returns: the response.
  /// - Throws: why it is missing.
  func end(returned: Int32) throws(CallerTransportError) -> TransportResponse {
    // A function that gives up says so whatever it has given before. A binding of another language returns any number for a
    // function that an exception ended, also that of the call before: this says nothing about the server.
    guard let result = FetchResult(rawValue: returned), result != .cancelled else { throw .cancelled }
    // Moved out: who reads a body that has secrets wipes it.
    var response = Response()
    self.response.withLock { swap(&$0, &response) }
    if result == .done, response.isEmpty { throw .cancelled }
    if let limit = response.brokenLimit { throw .failed(.tooLarge(limit: limit)) }
    if let reason = response.reason { throw .failed(.connection(reason)) }
    guard result == .done else { throw .failed(.connection("the fetch function failed")) }
    guard let status = response.status else {
      throw .failed(.connection("the fetch function gave no response"))
    }
    var body: [UInt8] = []
    swap(&body, &response.body)
    return TransportResponse(status: status, headers: response.headers, body: body)
  }
}

/// The result of a fetch function. The two that say something about the server are the texts "done" and "fail": where an
/// exception ends the function, a binding returns what was in memory, which may well be a small number.
enum FetchResult: Int32, CaseIterable {
  case cancelled = 0
  case done = 1684958821
  case failed = 1717660012
}

/// The function of the caller that fetches for an object.
final class FetchSlot: Sendable {
  private let trustRoots: String?
  private let transport = Mutex<FunctionTransport?>(nil)

  init(trustRoots: String?) { self.trustRoots = trustRoots }

  func set(_ function: FetchFunction?, _ context: UnsafeMutableRawPointer?) {
    let made = unsafe function.map { unsafe FunctionTransport($0, context, trustRoots: trustRoots) }
    transport.withLock { $0 = made }
  }

  /// Nil if no function was set.
  var current: FunctionTransport? { transport.withLock { $0 } }
}

/// Fetches with a function of the caller, on the thread that calls the library.
@safe
struct FunctionTransport: CallerTransport, @unchecked Sendable {
  private let function: FetchFunction
  private let context: UnsafeMutableRawPointer?
  private let trustRoots: String?

  init(_ function: @escaping FetchFunction, _ context: UnsafeMutableRawPointer?, trustRoots: String?) {
    unsafe self.function = function
    unsafe self.context = context
    self.trustRoots = trustRoots
  }

  func send(_ request: TransportRequest) throws(CallerTransportError) -> TransportResponse {
    let object = FetchObject(request, trustRoots: trustRoots)
    let handle = unsafe Handle.make(object)
    defer { unsafe Handle.free(handle, as: FetchObject.self) }
    return try object.end(returned: unsafe function(context, handle))
  }
}
