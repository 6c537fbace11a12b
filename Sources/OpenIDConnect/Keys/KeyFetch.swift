internal import TokenSecurityEncodings
internal import JOSE

/// One way to the server and back: discovery where it is needed, then the keys.
struct KeyFetch: Sendable {
  let location: KeySetLocation
  let rules: RemoteKeyRules
  let fetcher: any HTTPFetching

  /// What a fetch brought besides keys.
  struct Result: Sendable {
    let outcome: KeySetLedger.Outcome
    /// The address that the issuer's description names, to be used again until then.
    let discovered: Discovered?
  }

  /// Where an issuer said that its keys are.
  struct Discovered: Sendable {
    let address: WebAddress
    /// How long that may be believed, in seconds from when it was fetched.
    let life: Int64
  }

  /// Fetches the keys.
  ///
  /// - Parameters:
  ///   - known: where the keys are, if discovery has said so not too long ago.
  ///   - tag: the `ETag` of the keys at hand.
  func run(known: WebAddress?, tag: String?) async -> Result {
    var discovered: Discovered? = nil
    do throws(FetchFault) {
      let address: WebAddress
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

  private func discover(_ issuer: String) async throws(FetchFault) -> Discovered {
    let address: WebAddress
    do { address = try ProviderMetadata.address(issuer: issuer) } catch {
      throw .metadata(rule: "\(error)")
    }
    let rules = self.rules
    return try await read(address, fields: ["Accept": "application/json"]) { answer throws(FetchFault) in
      guard answer.status == 200 else { throw .status(answer.status) }
      let metadata = try ProviderMetadata(answer.body, issuer: issuer)
      return Discovered(address: metadata.keySetAddress, life: rules.life(answer.cacheControl))
    }
  }

  private func keys(
    at address: WebAddress, tag: String?
  ) async throws(FetchFault) -> KeySetLedger.Outcome {
    var fields: [ExactString: String] = ["Accept": location.mediaType]
    fields["If-None-Match"] = tag
    let (location, rules) = (self.location, self.rules)
    return try await read(address, fields: fields) { answer throws(FetchFault) in
      let life = rules.life(answer.cacheControl)
      if answer.status == 304, tag != nil { return .unchanged(life: life) }
      guard answer.status == 200 else { throw .status(answer.status) }
      let set = try location.read(answer.body, keyLimit: rules.keyLimit)
      do throws(JOSEError) { return .keys(try HeldKeys(set), tag: answer.tag, life: life) } catch {
        throw FetchFault(error)
      }
    }
  }

  /// Fetches a document and reads it. The time limit covers both, and holds whatever the client does.
  private func read<R: Sendable>(
    _ address: WebAddress, fields: [ExactString: String],
    _ read: @escaping @Sendable (FetchResponse) throws(FetchFault) -> R
  ) async throws(FetchFault) -> R {
    try rules.check(address)
    let request = FetchRequest(
      address: address, fields: fields, sizeLimit: rules.sizeLimit, timeout: rules.timeout)
    let fetcher = self.fetcher
    let late = Swift.Result<R, FetchFault>.failure(.timeout(request.timeout))
    let answer = await Deadline.run(within: request.timeout, else: late) {
      let response: FetchResponse
      do throws(FetchFault) {
        response = try await fetcher.fetch(request)
        try response.check(limit: request.sizeLimit)
      } catch {
        return .failure(error)
      }
      return await Deadline.onReadingThread {
        Swift.Result { () throws(FetchFault) in try read(response) }
      }
    }
    return try answer.get()
  }
}

extension FetchResponse {
  /// Refuses what is too large, points elsewhere, or is a web page.
  package func check(limit: Int) throws(FetchFault) {
    guard body.count <= limit else { throw .tooLarge(limit: limit) }
    if (300...399).contains(status), status != 304 {
      throw .redirect(status: status, location: self["location"])
    }
    if status == 200, self["content-type"]?.lowercasedASCII.hasPrefix("text/html") == true { throw .webPage }
  }

  fileprivate var cacheControl: CacheControl {
    CacheControl(cacheControl: self["cache-control"], age: self["age"])
  }

  /// The `ETag`, where it can be sent back (RFC 9110 section 8.8.3) and has at most 256 bytes.
  package var tag: String? {
    guard let tag = self["etag"], Self.isTag(tag) else { return nil }
    return tag
  }

  /// True where `text` is an `ETag` that can be sent back and has at most 256 bytes.
  package static func isTag(_ text: String) -> Bool {
    text.utf8.count <= 256 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.hasSuffix("\"")
  }
}
