package import HTTPExchange
internal import JOSE
internal import TokenSecurityEncodings

/// One way to the server and back: discovery where it is needed, then the keys.
struct KeyFetch: Sendable {
  let location: KeySetLocation
  let rules: RemoteKeySetConfiguration
  let transport: any HTTPTransport

  /// What a fetch brought besides keys.
  struct Result: Sendable {
    let outcome: KeySetState.Outcome
    /// The address that the issuer's description names, to be used again until then.
    let discovered: Discovered?
  }

  /// Where an issuer said that its keys are.
  struct Discovered: Sendable {
    let address: HTTPURL
    /// How long that may be believed, in seconds from when it was fetched.
    let life: Int64
  }

  /// Fetches the keys.
  ///
  /// - Parameters:
  ///   - known: where the keys are, if discovery has said so not too long ago.
  ///   - tag: the `ETag` of the keys at hand.
  func run(known: HTTPURL?, tag: String?) async -> Result {
    var discovered: Discovered? = nil
    do throws(FetchError) {
      let address: HTTPURL
      switch location.place {
      case .address(let fixed): address = fixed
      case .undetermined: throw .metadata(rule: "it is not known which of several issuers is meant")
      case .issuer(let issuer):
        if let known {
          address = known
        } else {
          let found = try await discover(issuer)
          discovered = found
          address = found.address
        }
      }
      // A tag belongs to the address that it came from.
      return Result(
        outcome: try await keys(at: address, tag: discovered == nil ? tag : nil), discovered: discovered)
    } catch {
      return Result(outcome: .fault(error), discovered: discovered)
    }
  }

  private func discover(_ issuer: String) async throws(FetchError) -> Discovered {
    let address: HTTPURL
    do { address = try ProviderMetadata.address(issuer: issuer) } catch {
      throw .metadata(rule: "\(error)")
    }
    let rules = self.rules
    return try await read(address, headers: ["Accept": "application/json"]) { answer throws(FetchError) in
      guard answer.status == 200 else { throw .status(answer.status) }
      let metadata = try ProviderMetadata(answer.body, issuer: issuer)
      return Discovered(address: metadata.keySetAddress, life: rules.life(answer.cacheControl))
    }
  }

  private func keys(
    at address: HTTPURL, tag: String?
  ) async throws(FetchError) -> KeySetState.Outcome {
    var headers: TransportHeaders = ["Accept": location.mediaType]
    headers["If-None-Match"] = tag
    let (location, rules) = (self.location, self.rules)
    return try await read(address, headers: headers) { answer throws(FetchError) in
      let life = rules.life(answer.cacheControl)
      if answer.status == 304, tag != nil { return .unchanged(life: life) }
      guard answer.status == 200 else { throw .status(answer.status) }
      let set = try location.read(answer.body, keyLimit: rules.keyLimit)
      do throws(JOSEError) { return .keys(try CachedKeys(set), tag: answer.tag, life: life) } catch {
        throw FetchError(error)
      }
    }
  }

  /// Fetches a document and reads it. The time limit covers both, and holds whatever the client does.
  private func read<R: Sendable>(
    _ url: HTTPURL, headers: TransportHeaders,
    _ read: @escaping @Sendable (TransportResponse) throws(FetchError) -> R
  ) async throws(FetchError) -> R {
    try rules.check(url)
    let limits = TransportLimits(timeout: rules.timeout, responseSize: rules.sizeLimit)
    let request = TransportRequest(url: url, headers: headers, limits: limits)
    let transport = self.transport
    let late = Swift.Result<R, FetchError>.failure(.transport(.timeout(limits.timeout)))
    let answer = await Deadline.run(within: limits.timeout, else: late) {
      let response: TransportResponse
      do throws(TransportError) { response = try await transport.send(request) } catch {
        return .failure(.transport(error))
      }
      do throws(FetchError) { try response.check(limit: limits.responseSize) } catch {
        return .failure(error)
      }
      return await ReadingThread.run {
        Swift.Result { () throws(FetchError) in try read(response) }
      }
    }
    return try answer.get()
  }
}

extension TransportResponse {
  /// Refuses what is too large, points elsewhere, or is a web page.
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

  /// The `ETag`, where it can be sent back (RFC 9110 section 8.8.3) and has at most 256 bytes.
  package var tag: String? {
    guard let tag = headers["etag"], Self.isTag(tag) else { return nil }
    return tag
  }

  /// True where `text` is an `ETag` that can be sent back and has at most 256 bytes.
  package static func isTag(_ text: String) -> Bool {
    text.utf8.count <= 256 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.hasSuffix("\"")
  }
}
