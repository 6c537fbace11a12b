internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The result of every check of a request, the canonical requests of both sides, and the likely mistake of
/// the signer. For operators only: it would help an attacker to guess.
public struct RequestExplanation: Sendable {
  /// One check.
  public struct Check: Sendable {
    /// The name of the check: `region`, `time`, `signature`.
    public let name: String
    /// The error; nil when the check passed.
    public let error: SigV4Error?
  }

  /// The instant at which the request was checked.
  public let checkedAt: Timestamp
  /// All checks, in the order in which they decide, including those after the first failed one.
  public let checks: [Check]
  /// The parameters of the signature; nil when they cannot be parsed.
  public let parameters: SignatureParameters?
  /// The canonical request of this verifier.
  public let canonicalRequest: CanonicalRequest?
  /// The string to sign of this verifier.
  public let stringToSign: String?
  /// The server's canonical request and string to sign, if they are known.
  public let server: ServerExplanation?
  /// The first line in which the canonical requests differ.
  public let difference: LineDifference?
  /// The likely mistakes, the likeliest first.
  public let diagnoses: [Diagnosis]

  /// The explanation of a request that cannot be parsed.
  package init(unread error: SigV4Error, server: ServerExplanation? = nil, at now: Timestamp) {
    self.init(
      checkedAt: now, checks: [.init(name: "form", error: error)], parameters: nil, canonicalRequest: nil,
      stringToSign: nil, server: server, difference: nil, diagnoses: RequestVerifier.guesses(error))
  }

  init(
    checkedAt: Timestamp, checks: [Check], parameters: SignatureParameters?,
    canonicalRequest: CanonicalRequest?,
    stringToSign: String?, server: ServerExplanation?, difference: LineDifference?, diagnoses: [Diagnosis]
  ) {
    self.checkedAt = checkedAt
    self.checks = checks
    self.parameters = parameters
    self.canonicalRequest = canonicalRequest
    self.stringToSign = stringToSign
    self.server = server
    self.difference = difference
    self.diagnoses = diagnoses
  }

  /// The first error; nil when all checks passed.
  public var error: SigV4Error? { checks.lazy.compactMap(\.error).first }
}

extension RequestVerifier {
  /// Verifies a request like ``verify(_:key:body:)``, and reports every check.
  ///
  /// - Parameters:
  ///   - message: the request.
  ///   - key: the key of the request's access key ID; nil for an unknown ID.
  ///   - server: the server's canonical request and string to sign, if they are known.
  ///   - now: the current time.
  /// - Returns: the results of all checks.
  public func explain(
    _ message: HTTPMessage, key: VerificationKey?, server: ServerExplanation? = nil, at now: Timestamp = .now
  ) -> RequestExplanation {
    let now = now.signingSecond
    let request: UnverifiedRequest
    do throws(SigV4Error) {
      request = try UnverifiedRequest(message.head, limits: policy.limits)
    } catch {
      return RequestExplanation(unread: error, server: server, at: now)
    }
    var checks = [RequestExplanation.Check(name: "form", error: nil)]
    for rule in VerifierRule.allCases {
      do throws(SigV4Error) {
        try check(rule, request, request.parameters, now)
        checks.append(.init(name: rule.name, error: nil))
      } catch {
        checks.append(.init(name: rule.name, error: error))
      }
    }
    let bodyHash = (try? SigV4Error.hash(message.body.span)) ?? []
    let pending = PendingRequest(request: request, now: now, skew: policy.skew.wholeSeconds)
    let payload = self.payload(pending) ?? .sha256(bodyHash)
    let canonical = pending.canonicalRequest(policy, payload: payload)
    let text = (try? request.stringToSign(canonical, scope: request.parameters.scope.bytes)).map {
      String(decoding: $0, as: UTF8.self)
    }
    var diagnoses: [Diagnosis] = []
    do throws(SigV4Error) {
      _ = try checkSignature(pending, key, payload: payload)
      checks.append(.init(name: "signature", error: nil))
    } catch {
      checks.append(.init(name: "signature", error: error))
      if error == .signatureMismatch, let key {
        let variations = Variations.all(message, request)
        diagnoses = DiagnosisSearch(request: request, keys: keys(key, request)).confirmed(
          canonical, variations)
      }
    }
    checks.append(.init(name: "body", error: bodyError(pending, payload, bodyHash, message.body, key)))
    let theirs = server?.canonicalRequest.flatMap { CanonicalLines($0) }
    let ours = CanonicalLines(canonical.description)
    let difference = theirs.flatMap { theirs in ours.flatMap { LineDifference($0, theirs) } }
    for error in checks.compactMap(\.error) { diagnoses += Self.guesses(error) }
    if diagnoses.isEmpty, checks.contains(where: { $0.error != nil }) {
      diagnoses += Self.incompleteBody(message)
    }
    return RequestExplanation(
      checkedAt: now, checks: checks, parameters: request.parameters, canonicalRequest: canonical,
      stringToSign: text, server: server, difference: difference, diagnoses: diagnoses)
  }

  private func bodyError(
    _ pending: PendingRequest, _ payload: UnverifiedRequest.DeclaredPayload, _ hash: [UInt8], _ body: [UInt8],
    _ key: VerificationKey?
  ) -> SigV4Error? {
    switch payload {
    case .sha256(let declared):
      return declared == hash ? headerChecksumError(pending.request, body) : .payloadHashMismatch
    case .mode(.unsigned): return headerChecksumError(pending.request, body)
    case .mode(let mode):
      guard mode.isChunked else { return nil }
      // Chunk signatures continue the signature of the request, which must match first.
      do throws(SigV4Error) {
        let checked = try checkSignature(pending, key, payload: payload)
        var verifier = try BodyVerifier(pending, policy, .chunks(mode, checked), .immediately)
        _ = try verifier.read(body)
        _ = try verifier.finish()
        return nil
      } catch {
        return error == .signatureMismatch || key == nil ? nil : error
      }
    }
  }

  /// A body that is not as long as the request says, such as that of a log without bodies.
  private static func incompleteBody(_ message: HTTPMessage) -> [Diagnosis] {
    let count = message.body.count
    guard let length = message.head["content-length"].flatMap({ Int($0) }), length != count else { return [] }
    return [
      Diagnosis(
        code: "body_incomplete",
        sentence: "Content-Length is \(length), and the body has \(count) bytes", isConfirmed: false)
    ]
  }

  private func headerChecksumError(_ request: UnverifiedRequest, _ body: [UInt8]) -> SigV4Error? {
    do throws(SigV4Error) {
      try HeaderChecksums.check(request, policy, body.span)
      return nil
    } catch {
      return error
    }
  }

  /// The key, and the keys that common mistakes derive from the same secret.
  private func keys(
    _ key: VerificationKey, _ request: UnverifiedRequest
  ) -> [(key: CheckingKey, mistake: Diagnosis?)] {
    let parameters = request.parameters
    var keys: [(key: CheckingKey, mistake: Diagnosis?)] = []
    if let usual = try? checkingKey(
      key, algorithm: parameters.algorithm, parameters.credential, date: parameters.date)
    {
      keys.append((usual, nil))
    }
    guard case .credentials(let credentials) = key, parameters.algorithm == .hmacSHA256 else { return keys }
    func add(_ credentials: Credentials, _ scope: CredentialScope, _ code: String, _ sentence: String) {
      guard let key = try? ScopedSigningKey(credentials, scope: scope) else { return }
      keys.append((.hmac(key), Diagnosis(code: code, sentence: sentence, isConfirmed: true)))
    }
    for (suffix, name) in [("\n", "a line break"), ("\r\n", "CR LF"), (" ", "a space")] {
      let secret = credentials.secret.bytes.withBytes { (bytes: borrowing Span<UInt8>) -> SecretBytes in
        let more = Array(suffix.utf8)
        return SecretBytes(count: bytes.count + more.count) { span in
          for index in bytes.indices { span[index] = bytes[index] }
          for index in more.indices { span[bytes.count + index] = more[index] }
        }
      }
      if let changed = try? Credentials(accessKeyID: credentials.accessKeyID, secretAccessKey: secret) {
        add(
          changed, parameters.scope, "secret_with_white_space",
          "the signature matches if the secret has \(name) at its end")
      }
    }
    for region in ["us-east-1", policy.region] {
      let scope = CredentialScope(
        checkedDay: parameters.scope.day, region: region, service: parameters.scope.service)
      add(
        credentials, scope, "key_of_another_region",
        "the signature matches with a key for the region \(region.quoted)")
    }
    return keys
  }

  /// The likely causes of an error.
  fileprivate static func guesses(_ error: SigV4Error) -> [Diagnosis] {
    func guess(_ code: String, _ sentence: String) -> [Diagnosis] {
      [Diagnosis(code: code, sentence: sentence, isConfirmed: false)]
    }
    switch error {
    case .requestExpired(let date, let now):
      return guess(
        "clock_off",
        "the signer's clock is \(now.seconds - date.seconds) s slow, or the request was delayed")
    case .requestFromFuture(let date, let now):
      return guess("clock_off", "the signer's clock is \(date.seconds - now.seconds) s fast")
    case .wrongRegion: return guess("wrong_region", "the signer is configured for another region")
    case .wrongService: return guess("wrong_service", "the signer is configured for another service")
    case .hostNotAccepted, .hostMismatch:
      return guess("host_changed", "a proxy changed Host, or the request was sent to the wrong service")
    case .signedHeaderAbsent(let name):
      return guess(
        "header_removed", "the request was sent without the header \(name.quoted), or a proxy removed it")
    case .headerUnsigned(let name):
      return guess(
        "header_added",
        "a proxy added the header \(name.quoted) after signing, or the client does not sign it")
    case .payloadHashMismatch:
      return guess("body_changed", "the body was changed after signing, or is incomplete")
    case .scopeDateMismatch:
      return guess("day_changed", "the client used a signing key after the end of its day, in UTC")
    default: return []
    }
  }
}
