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
    let answer = try await ask(address, fields: ["Accept": "application/json"])
    guard answer.status == 200 else { throw .status(answer.status) }
    let metadata = try ProviderMetadata(answer.body, issuer: issuer)
    return Discovered(address: metadata.keySetAddress, life: rules.life(answer.cacheControl))
  }

  private func keys(
    at address: WebAddress, tag: String?
  ) async throws(FetchFault) -> KeySetLedger.Outcome {
    var fields = ["Accept": location.mediaType]
    fields["If-None-Match"] = tag
    let answer = try await ask(address, fields: fields)
    let life = rules.life(answer.cacheControl)
    if answer.status == 304, tag != nil { return .unchanged(life: life) }
    guard answer.status == 200 else { throw .status(answer.status) }
    let set = try location.read(answer.body)
    do { return .keys(try HeldKeys(set), tag: answer.tag, life: life) } catch { throw FetchFault(error) }
  }

  /// Asks, and ends what takes too long. The bounds are held whatever the client does.
  private func ask(
    _ address: WebAddress, fields: [String: String]
  ) async throws(FetchFault) -> FetchResponse {
    try rules.judge(address)
    let request = FetchRequest(
      address: address, fields: fields, sizeLimit: rules.sizeLimit, timeout: rules.timeout)
    let fetcher = self.fetcher
    let answer = await withTaskGroup(of: Swift.Result<FetchResponse, FetchFault>.self) { group in
      group.addTask {
        do throws(FetchFault) { return .success(try await fetcher.fetch(request)) } catch {
          return .failure(error)
        }
      }
      group.addTask {
        try? await Task.sleep(for: request.timeout)
        return .failure(.timeout(request.timeout))
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? .failure(.timeout(request.timeout))
    }
    let response = try answer.get()
    guard response.body.count <= rules.sizeLimit else { throw .tooLarge(limit: rules.sizeLimit) }
    if (300...399).contains(response.status), response.status != 304 {
      throw .redirect(status: response.status, location: response["location"])
    }
    if response.status == 200, response["content-type"]?.lowercased().hasPrefix("text/html") == true {
      throw .webPage
    }
    return response
  }
}

extension FetchResponse {
  fileprivate var cacheControl: CacheControl {
    CacheControl(cacheControl: self["cache-control"], age: self["age"])
  }

  /// The `ETag`, where it is one that can be sent back (RFC 9110 section 8.8.3).
  fileprivate var tag: String? {
    guard let tag = self["etag"], tag.utf8.count <= 256,
      tag.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), tag.hasSuffix("\"")
    else { return nil }
    return tag
  }
}
