package import HTTPExchange
internal import JOSE
internal import TokenSecurityBase

/// One fetch of a key set: discovery if needed, then the keys. A value without IO: it says which request comes next, and takes
/// the response.
struct KeyFetch: Sendable {
  private let location: KeySetLocation
  private let configuration: RemoteKeySetConfiguration
  /// The address of the keys, if a cached discovery has it.
  private let known: HTTPURL?
  /// The `ETag` of the cached keys.
  private let tag: String?
  /// The metadata that this fetch has discovered.
  private var discovered: Discovered?
  private var phase = Phase.keys

  private enum Phase: Sendable {
    case discovery(issuer: String)
    case keys
  }

  /// The next step of a fetch.
  enum Step: Sendable {
    /// Send this request, and give the response to this value.
    case send(TransportRequest, KeyFetch)
    /// The fetch has ended.
    case end(Result)
  }

  /// The result of a fetch.
  struct Result: Sendable {
    let outcome: KeySetState.Outcome
    /// The location of the keys, if this fetch discovered it.
    let discovered: Discovered?
  }

  /// The location of an issuer's keys, from its metadata.
  struct Discovered: Sendable {
    let address: HTTPURL
    /// How long it may be cached, in seconds from the fetch.
    let lifetime: Int64
  }

  /// A fetch.
  ///
  /// - Parameters:
  ///   - location: the location of the keys.
  ///   - configuration: the limits.
  ///   - known: the address of the keys, if a cached discovery has it.
  ///   - tag: the `ETag` of the cached keys.
  init(_ location: KeySetLocation, _ configuration: RemoteKeySetConfiguration, known: HTTPURL?, tag: String?)
  {
    self.location = location
    self.configuration = configuration
    self.known = known
    self.tag = tag
  }

  /// The first step.
  func start() -> Step {
    step { fetch throws(FetchError) in
      switch fetch.location.source {
      case .address(let fixed): return try fetch.requestKeys(at: fixed)
      case .undetermined: throw .metadata(rule: "there are several issuers")
      case .issuer(let issuer):
        if let known = fetch.known { return try fetch.requestKeys(at: known) }
        return try fetch.requestMetadata(of: issuer)
      }
    }
  }

  /// The step after a response. Errors are part of it.
  ///
  /// - Parameter response: the response, or why it is missing.
  /// - Returns: the next request, or the result.
  func take(_ response: Swift.Result<TransportResponse, TransportError>) -> Step {
    step { fetch throws(FetchError) in
      let received: TransportResponse
      do throws(TransportError) { received = try response.get() } catch { throw .transport(error) }
      try received.check(limit: fetch.configuration.sizeLimit)
      switch fetch.phase {
      case .discovery(let issuer):
        let location = try fetch.location(received, of: issuer)
        fetch.discovered = location
        return try fetch.requestKeys(at: location.address)
      case .keys: return .end(Result(outcome: try fetch.keys(received), discovered: fetch.discovered))
      }
    }
  }

  private func step(_ body: (inout KeyFetch) throws(FetchError) -> Step) -> Step {
    var next = self
    do throws(FetchError) { return try body(&next) } catch {
      return .end(Result(outcome: .failure(error), discovered: next.discovered))
    }
  }

  private mutating func requestMetadata(of issuer: String) throws(FetchError) -> Step {
    let address: HTTPURL
    do { address = try ProviderMetadata.address(issuer: issuer) } catch {
      throw .metadata(rule: "\(error)")
    }
    phase = .discovery(issuer: issuer)
    return try request(address, ["Accept": "application/json"])
  }

  private mutating func requestKeys(at address: HTTPURL) throws(FetchError) -> Step {
    phase = .keys
    var headers: TransportHeaders = ["Accept": location.mediaType]
    headers["If-None-Match"] = sentTag
    return try request(address, headers)
  }

  /// An `ETag` belongs to one address: it is not sent to a newly discovered one.
  private var sentTag: String? { discovered == nil ? tag : nil }

  private func request(_ address: HTTPURL, _ headers: TransportHeaders) throws(FetchError) -> Step {
    try configuration.check(address)
    let limits = TransportLimits(timeout: configuration.timeout, responseSize: configuration.sizeLimit)
    return .send(TransportRequest(url: address, headers: headers, limits: limits), self)
  }

  private func location(
    _ response: TransportResponse, of issuer: String
  ) throws(FetchError) -> Discovered {
    guard response.status == 200 else { throw .status(response.status) }
    let metadata = try ProviderMetadata(response.body, issuer: issuer)
    return Discovered(
      address: metadata.keySetAddress, lifetime: configuration.lifetime(response.cacheControl))
  }

  private func keys(_ response: TransportResponse) throws(FetchError) -> KeySetState.Outcome {
    let lifetime = configuration.lifetime(response.cacheControl)
    if response.status == 304, sentTag != nil { return .unchanged(freshFor: lifetime) }
    guard response.status == 200 else { throw .status(response.status) }
    let set = try location.read(response.body, keyLimit: configuration.keyLimit)
    do throws(JOSEError) { return .keys(try CachedKeys(set), tag: response.tag, freshFor: lifetime) } catch {
      throw FetchError(error)
    }
  }
}

extension TransportResponse {
  /// Refuses a body that is too large, a redirect and a web page.
  ///
  /// - Parameter limit: the maximum size of the body, in bytes.
  /// - Throws: `transport`, `redirect` or `webPage`.
  package func check(limit: Int) throws(FetchError) {
    guard body.count <= limit else { throw .transport(.tooLarge(limit: limit)) }
    if (300...399).contains(status), status != 304 {
      throw .redirect(status: status, location: headers["location"])
    }
    if status == 200, headers["content-type"]?.lowercasedASCII.hasPrefix("text/html") == true {
      throw .webPage
    }
  }

  fileprivate var cacheControl: CacheControl {
    CacheControl(cacheControl: headers["cache-control"], age: headers["age"])
  }

  /// The `ETag`, if it is well-formed (RFC 9110 section 8.8.3) and has at most 256 bytes.
  package var tag: String? {
    guard let tag = headers["etag"], Self.isTag(tag) else { return nil }
    return tag
  }

  /// Returns true for a well-formed `ETag` of at most 256 bytes.
  package static func isTag(_ text: String) -> Bool {
    text.utf8.count <= 256 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.hasSuffix("\"")
  }
}
