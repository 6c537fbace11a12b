internal import CTokenSecurityCurl
internal import HTTPExchange
internal import Synchronization
internal import TokenSecurityPlatform

/// One request and its response, on a thread of its own.
final class Transfer: Sendable {
  private let request: TransportRequest
  private let trustRoots: TransportConfiguration.TrustRoots
  private let proxy: ProxySettings.Server?
  private let connectTimeout: Duration
  private let state = Mutex(State())

  private struct State {
    /// What the thread waits with, as long as it may be woken.
    var handle: MultiHandle?
    var isCancelled = false
  }

  /// libcurl lets other threads wake the one that waits, and nothing else.
  @safe
  private struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    func wake() { unsafe _ = curl_multi_wakeup(pointer) }
  }

  /// A transfer that has not begun.
  ///
  /// - Parameters:
  ///   - request: the request, which was checked.
  ///   - trustRoots: the certificates that the server's certificate is verified with.
  ///   - proxy: the proxy; nil for none.
  ///   - connectTimeout: the maximum time for connecting.
  init(
    _ request: TransportRequest, trustRoots: TransportConfiguration.TrustRoots, proxy: ProxySettings.Server?,
    connectTimeout: Duration
  ) {
    self.request = request
    self.trustRoots = trustRoots
    self.proxy = proxy
    self.connectTimeout = connectTimeout
  }

  /// Sends the request. It ends early when its task is cancelled.
  func result() async -> Result<TransportResponse, TransportError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasBegun = TransferThread.begin {
          continuation.resume(returning: self.perform())
        }
        if !hasBegun { continuation.resume(returning: .failure(.connection("no thread can be started"))) }
      }
    } onCancel: {
      state.withLock { state in
        state.isCancelled = true
        state.handle?.wake()
      }
    }
  }

  private var cancelled: TransportError { .timeout(request.limits.timeout) }

  /// Sends the request on this thread.
  private func perform() -> Result<TransportResponse, TransportError> {
    guard Curl.isReady else { return .failure(.connection("libcurl has no TLS, or cannot be initialised")) }
    guard let easy = unsafe curl_easy_init() else { return .failure(.connection("libcurl has no memory")) }
    defer { unsafe curl_easy_cleanup(easy) }
    guard let multi = unsafe curl_multi_init() else {
      return .failure(.connection("libcurl has no memory"))
    }
    defer { unsafe _ = curl_multi_cleanup(multi) }

    let received = Reception(limit: request.limits.responseSize)
    let options = unsafe TransferOptions(easy)
    options.set(request, trustRoots, proxy, connectTimeout)
    options.receive(into: received)
    guard options.areComplete else {
      return .failure(.connection("this version of libcurl has not all options that are needed"))
    }
    // libcurl has their addresses until the transfer is removed.
    defer { withExtendedLifetime((received, options)) {} }
    unsafe _ = curl_multi_add_handle(multi, easy)
    defer { unsafe _ = curl_multi_remove_handle(multi, easy) }
    guard let code = unsafe wait(MultiHandle(pointer: multi)) else { return .failure(cancelled) }
    if let error = received.failure { return .failure(error) }
    if code != CURLE_OK { return unsafe .failure(error(code, easy)) }
    return received.response.map(Result.success)
      ?? .failure(.connection("the server closed the connection before the end"))
  }

  /// Waits until the transfer has ended; nil if it was cancelled.
  private func wait(_ multi: MultiHandle) -> CURLcode? {
    state.withLock { $0.handle = multi }
    defer { state.withLock { $0.handle = nil } }
    var running: Int32 = 1
    while true {
      guard !state.withLock({ $0.isCancelled }) else { return nil }
      guard unsafe curl_multi_perform(multi.pointer, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
      guard running > 0 else { break }
      // A wake-up that comes before the wait ends it at once.
      unsafe _ = curl_multi_poll(multi.pointer, nil, 0, 60_000, nil)
    }
    var left: Int32 = 0
    guard let message = unsafe curl_multi_info_read(multi.pointer, &left) else { return CURLE_FAILED_INIT }
    return unsafe message.pointee.data.result
  }

  private func error(_ code: CURLcode, _ easy: UnsafeMutableRawPointer) -> TransportError {
    let peer = proxy.map { "\($0.host):\($0.port)" } ?? "\(request.url.host):\(request.url.port)"
    var proxyStatus = 0
    unsafe _ = tokensecurity_curl_get_number(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return .timeout(request.limits.timeout)
    case CURLE_FILESIZE_EXCEEDED: return .tooLarge(limit: request.limits.responseSize)
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return .connection("no connection to \(peer)")
    case CURLE_PEER_FAILED_VERIFICATION:
      return .connection("the server's certificate is not trusted for this name")
    case CURLE_SSL_CACERT_BADFILE: return .connection("the file of trust roots cannot be used")
    // The protocols are those that this library asked for: what is unknown is the status.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return Reception.statusRefused
    case _ where proxyStatus >= 300:
      return .connection("the proxy refused the connection with status \(proxyStatus)")
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      return .connection("the server closed the connection before the end")
    default: return unsafe .connection(String(cString: curl_easy_strerror(code)))
    }
  }
}
