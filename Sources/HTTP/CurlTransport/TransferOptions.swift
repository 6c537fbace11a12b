internal import CTokenSecurityCurl
internal import HTTPExchange
internal import TokenSecurityBase

/// The options of a transfer. They own what libcurl does not copy, and must outlive it.
@safe
final class TransferOptions {
  private let easy: UnsafeMutableRawPointer
  private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
  /// False if libcurl refused an option.
  private(set) var areComplete = true

  init(_ easy: UnsafeMutableRawPointer) { unsafe self.easy = unsafe easy }

  deinit { unsafe lists.forEach { unsafe curl_slist_free_all($0) } }

  /// Sets what the request and the transport ask for.
  func set(
    _ request: TransportRequest, _ trustRoots: TransportConfiguration.TrustRoots,
    _ proxy: ProxySettings.Server?, _ connectTimeout: Duration
  ) {
    setConnection(request.url, trustRoots, connectTimeout)
    setProxy(proxy)
    setMessage(request)
  }

  /// Lets the response be received. `received` must outlive the transfer.
  func receive(into received: Reception) {
    let context = unsafe Unmanaged.passUnretained(received).toOpaque()
    unsafe check(tokensecurity_curl_set_context(easy, CURLOPT_HEADERDATA, context))
    unsafe check(
      tokensecurity_curl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        unsafe Reception.take(bytes, size * count, context) { $0.takeHeadLine($1) }
      })
    unsafe check(tokensecurity_curl_set_context(easy, CURLOPT_WRITEDATA, context))
    unsafe check(
      tokensecurity_curl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        unsafe Reception.take(bytes, size * count, context) { $0.takeBody($1) }
      })
  }

  private func setConnection(
    _ url: HTTPURL, _ trustRoots: TransportConfiguration.TrustRoots, _ connectTimeout: Duration
  ) {
    set(CURLOPT_URL, url.description)
    // Callers sign paths: dot segments stay.
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    // libcurl sends a request again whose kept connection has died.
    set(CURLOPT_FRESH_CONNECT, 1)
    set(CURLOPT_FORBID_REUSE, 1)
    // The thread of a name server that does not answer is not waited for (libcurl 7.87).
    set(CURLOPT_QUICK_EXIT, 1)
    // No signal handler of the process is replaced.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if case .file(let path) = trustRoots {
      set(CURLOPT_CAINFO, path)
      // The folder of the system's certificates would be trusted, too.
      unsafe check(tokensecurity_curl_set_text(easy, CURLOPT_CAPATH, nil))
    }
    let (seconds, attoseconds) = TimeLimit.bounded(connectTimeout).components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    // Zero would be libcurl's own limit.
    set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(1, milliseconds), Int64(Int32.max))))
  }

  /// libcurl reads proxies from the environment unless one is set, and an empty one is none.
  private func setProxy(_ proxy: ProxySettings.Server?) {
    guard let proxy else {
      set(CURLOPT_PROXY, "")
      return
    }
    let host = proxy.host.utf8.contains(UInt8(ascii: ":")) ? "[\(proxy.host)]" : proxy.host
    set(CURLOPT_PROXY, "http://\(host):\(proxy.port)")
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_HTTPPROXYTUNNEL, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    if let credentials = proxy.credentials {
      set(CURLOPT_PROXYHEADER, ["Proxy-Authorization: Basic \(credentials)"])
    }
  }

  private func setMessage(_ request: TransportRequest) {
    let limit = request.limits.responseSize
    // Zero would be no limit; then each byte of a body is refused when it comes.
    if limit > 0 {
      unsafe check(tokensecurity_curl_set_size(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limit)))
    }
    let method = request.method
    if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(where: { method.isIdentical(to: $0) }) {
      set(CURLOPT_POST, 1)
      unsafe check(
        tokensecurity_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
      unsafe request.body.withUnsafeBytes { bytes in
        // An empty array may have no address, and without one libcurl would read from a file.
        let address = bytes.baseAddress
        unsafe check(
          tokensecurity_curl_set_context(
            easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: address)))
      }
    } else if method.isIdentical(to: "HEAD") {
      set(CURLOPT_NOBODY, 1)
    }
    set(CURLOPT_CUSTOMREQUEST, method)
    set(CURLOPT_HTTPHEADER, Self.lines(of: request.headers))
    set(CURLOPT_USERAGENT, "token-security")
  }

  /// The header's lines in the form of libcurl. Fields that it adds by itself are removed by lines without a value.
  private static func lines(of headers: TransportHeaders) -> [String] {
    var lines: [String] = []
    // The framing of the body is libcurl's.
    for field in headers.fields
    where !["content-length", "transfer-encoding"].contains(where: {
      field.name.isEqualIgnoringASCIICase(to: $0)
    }) {
      lines.append(field.value.utf8.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    for name in ["Accept", "Content-Type", "Expect"] where headers[name] == nil { lines.append("\(name):") }
    return lines
  }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe check(tokensecurity_curl_set_number(easy, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) {
    unsafe check(tokensecurity_curl_set_text(easy, option, value))
  }

  private func set(_ option: CURLoption, _ lines: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = unsafe curl_slist_append(list, line) else {
        areComplete = false
        break
      }
      unsafe list = unsafe longer
    }
    guard let list = unsafe list else { return }
    unsafe lists.append(list)
    unsafe check(tokensecurity_curl_set_list(easy, option, list))
  }

  private func check(_ code: CURLcode) { if code != CURLE_OK { areComplete = false } }
}
