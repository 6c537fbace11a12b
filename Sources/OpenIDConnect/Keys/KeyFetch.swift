package import HTTPExchange
internal import JOSE
internal import TokenSecurityEncodings

/// One fetch of a key set: discovery if needed, then the keys.
struct KeyFetch: Sendable {
  let location: KeySetLocation
  let configuration: RemoteKeySetConfiguration
  let transport: any HTTPTransport
  let watch: FetchWatch?
  /// The clock of the time limit.
  let timers: any Clock<Duration>

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

  /// Fetches the keys.
  ///
  /// - Parameters:
  ///   - known: the location of the keys, if a cached discovery has it.
  ///   - tag: the `ETag` of the cached keys.
  /// - Returns: the outcome. Errors are part of it.
  func run(known: HTTPURL?, tag: String?) async -> Result {
    var discovered: Discovered? = nil
    do throws(FetchError) {
      let address: HTTPURL
      switch location.place {
      case .address(let fixed): address = fixed
      case .undetermined: throw .metadata(rule: "there are several issuers")
      case .issuer(let issuer):
        if let known {
          address = known
        } else {
          let location = try await discover(issuer)
          discovered = location
          address = location.address
        }
      }
      // An `ETag` belongs to one address: it is not sent to a newly discovered one.
      return Result(
        outcome: try await keys(at: address, tag: discovered == nil ? tag : nil), discovered: discovered)
    } catch {
      return Result(outcome: .failure(error), discovered: discovered)
    }
  }

  private func discover(_ issuer: String) async throws(FetchError) -> Discovered {
    let address: HTTPURL
    do { address = try ProviderMetadata.address(issuer: issuer) } catch {
      throw .metadata(rule: "\(error)")
    }
    let configuration = self.configuration
    return try await read(address, headers: ["Accept": "application/json"]) { response throws(FetchError) in
      guard response.status == 200 else { throw .status(response.status) }
      let metadata = try ProviderMetadata(response.body, issuer: issuer)
      return Discovered(
        address: metadata.keySetAddress, lifetime: configuration.lifetime(response.cacheControl))
    }
  }

  private func keys(
    at address: HTTPURL, tag: String?
  ) async throws(FetchError) -> KeySetState.Outcome {
    var headers: TransportHeaders = ["Accept": location.mediaType]
    headers["If-None-Match"] = tag
    let (location, configuration) = (self.location, self.configuration)
    return try await read(address, headers: headers) { response throws(FetchError) in
      let lifetime = configuration.lifetime(response.cacheControl)
      if response.status == 304, tag != nil { return .unchanged(freshFor: lifetime) }
      guard response.status == 200 else { throw .status(response.status) }
      let set = try location.read(response.body, keyLimit: configuration.keyLimit)
      do throws(JOSEError) { return .keys(try CachedKeys(set), tag: response.tag, freshFor: lifetime) } catch
      {
        throw FetchError(error)
      }
    }
  }

  /// Fetches a document and parses it. The time limit covers both, even if the transport ignores
  /// cancellation.
  private func read<R: Sendable>(
    _ url: HTTPURL, headers: TransportHeaders,
    _ parse: @escaping @Sendable (TransportResponse) throws(FetchError) -> R
  ) async throws(FetchError) -> R {
    try configuration.check(url)
    let limits = TransportLimits(timeout: configuration.timeout, responseSize: configuration.sizeLimit)
    let request = TransportRequest(url: url, headers: headers, limits: limits)
    let (transport, watch, timers) = (transport, watch, timers)
    let late = Swift.Result<R, FetchError>.failure(.transport(.timeout(limits.timeout)))
    let result = await Deadline.run(within: limits.timeout, else: late, timers: timers) {
      let response: TransportResponse
      do throws(TransportError) { response = try await transport.send(request) } catch {
        return .failure(.transport(error))
      }
      do throws(FetchError) { try response.check(limit: limits.responseSize) } catch {
        return .failure(error)
      }
      watch?.note(.parsingBegan)
      defer { watch?.note(.parsingEnded) }
      return await ParsingQueue.run {
        Swift.Result { () throws(FetchError) in try parse(response) }
      }
    }
    return try result.get()
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
