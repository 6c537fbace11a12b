internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// How a request was judged: every demand, whether it held, both canonical requests where a signature does not hold, and
/// the mistake that fits best. For operators: what is in it would help a stranger in guessing.
public struct RequestExplanation: Sendable {
  /// One demand.
  public struct Check: Sendable {
    /// What is asked: `region`, `time`, `signature`.
    public let name: String
    /// Why it does not hold; nil where it does.
    public let error: SigV4Error?
  }

  /// The instant that the request was judged at.
  public let checkedAt: Timestamp
  /// All demands, in the order in which they decide. All are judged, whichever fails first.
  public let checks: [Check]
  /// What the signature says of itself; nil where it could not be read.
  public let parameters: SignatureParameters?
  /// The canonical request that was made here.
  public let canonicalRequest: CanonicalRequest?
  /// The string to sign that was made here.
  public let stringToSign: String?
  /// What the other side said, where that is known.
  public let other: ServerExplanation?
  /// The first line in which both canonical requests differ.
  public let difference: LineDifference?
  /// The mistakes that fit, the best first.
  public let diagnoses: [Diagnosis]

  /// A request that could not be read.
  package init(unread error: SigV4Error, at now: Timestamp) {
    self.init(
      checkedAt: now, checks: [.init(name: "form", error: error)], parameters: nil, canonicalRequest: nil,
      stringToSign: nil, other: nil, difference: nil, diagnoses: RequestVerifier.guesses(error))
  }

  init(
    checkedAt: Timestamp, checks: [Check], parameters: SignatureParameters?,
    canonicalRequest: CanonicalRequest?,
    stringToSign: String?, other: ServerExplanation?, difference: LineDifference?, diagnoses: [Diagnosis]
  ) {
    self.checkedAt = checkedAt
    self.checks = checks
    self.parameters = parameters
    self.canonicalRequest = canonicalRequest
    self.stringToSign = stringToSign
    self.other = other
    self.difference = difference
    self.diagnoses = diagnoses
  }

  /// The first error; nil where the request holds.
  public var error: SigV4Error? { checks.lazy.compactMap(\.error).first }
}

extension RequestVerifier {
  /// Judges a request as ``verify(_:key:body:)`` does, and says how.
  ///
  /// `other`: what the other side has computed, out of its answer.
  public func explain(
    _ message: HTTPMessage, key: VerificationKey?, other: ServerExplanation? = nil, at now: Timestamp = .now
  ) -> RequestExplanation {
    let now = now.signingSecond
    let request: UnverifiedRequest
    do throws(SigV4Error) {
      request = try UnverifiedRequest(message.head, limits: policy.limits)
    } catch {
      return RequestExplanation(
        checkedAt: now, checks: [.init(name: "form", error: error)], parameters: nil, canonicalRequest: nil,
        stringToSign: nil, other: other, difference: nil, diagnoses: Self.guesses(error))
    }
    var checks = [RequestExplanation.Check(name: "form", error: nil)]
    for demand in Demand.allCases {
      do throws(SigV4Error) {
        try judge(demand, request, now)
        checks.append(.init(name: demand.name, error: nil))
      } catch {
        checks.append(.init(name: demand.name, error: error))
      }
    }
    let bodyHash = (try? SigV4Error.hash(message.body.span)) ?? []
    let pending = PendingRequest(request: request, now: now)
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
        diagnoses = Diagnostician(request: request, keys: keys(key, request)).proven(canonical, variations)
      }
    }
    checks.append(.init(name: "body", error: bodyError(pending, payload, bodyHash, message.body, key)))
    let theirs = other?.canonicalRequest.flatMap { CanonicalLines($0) }
    let ours = CanonicalLines(canonical.description)
    let difference = theirs.flatMap { theirs in ours.flatMap { LineDifference($0, theirs) } }
    for check in checks { if let fault = check.error { diagnoses += Self.guesses(fault) } }
    return RequestExplanation(
      checkedAt: now, checks: checks, parameters: request.parameters, canonicalRequest: canonical,
      stringToSign: text,
      other: other, difference: difference, diagnoses: diagnoses)
  }

  private func bodyError(
    _ pending: PendingRequest, _ payload: UnverifiedRequest.DeclaredPayload, _ hash: [UInt8], _ body: [UInt8],
    _ key: VerificationKey?
  ) -> SigV4Error? {
    switch payload {
    case .sha256(let declared): return declared == hash ? nil : .payloadHashMismatch
    case .mode(let mode):
      guard mode.isChunked else { return nil }
      // Only behind a signature that holds is there anything to follow chunk by chunk.
      do throws(SigV4Error) {
        let held = try checkSignature(pending, key, payload: payload)
        var verifier = try BodyVerifier(pending, .chunks(mode, held.key), .immediately)
        _ = try verifier.read(body)
        _ = try verifier.finish()
        return nil
      } catch {
        return error == .signatureMismatch || key == nil ? nil : error
      }
    }
  }

  /// The key, and keys that a mistake may have made of the same secret.
  private func keys(
    _ key: VerificationKey, _ request: UnverifiedRequest
  ) -> [(key: CheckingKey, mistake: Diagnosis?)] {
    let parameters = request.parameters
    var keys: [(key: CheckingKey, mistake: Diagnosis?)] = []
    if let usual = try? checkingKey(
      key, algorithm: parameters.algorithm, accessKeyID: parameters.accessKeyID, scope: parameters.scope,
      date: parameters.date)
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
          "it matches if the secret has \(name) at its end")
      }
    }
    for region in ["us-east-1", policy.region] {
      let scope = CredentialScope(
        checkedDay: parameters.scope.day, region: region, service: parameters.scope.service)
      add(
        credentials, scope, "key_of_another_region", "it matches with a key for the region \(region.quoted)")
    }
    return keys
  }

  /// What an error suggests by itself.
  fileprivate static func guesses(_ fault: SigV4Error) -> [Diagnosis] {
    func guess(_ code: String, _ sentence: String) -> [Diagnosis] {
      [Diagnosis(code: code, sentence: sentence, isConfirmed: false)]
    }
    switch fault {
    case .requestExpired(let date, let now):
      return guess(
        "clock_off",
        "the signer's clock is \(now.seconds - date.seconds) s behind, or the request waited so long")
    case .requestFromFuture(let date, let now):
      return guess("clock_off", "the signer's clock is \(date.seconds - now.seconds) s ahead")
    case .wrongRegion: return guess("wrong_region", "the signer is configured for another region")
    case .wrongService: return guess("wrong_service", "the signer is configured for another service")
    case .hostNotAccepted, .hostMismatch:
      return guess("host_changed", "a proxy has changed Host, or the request went astray")
    case .signedHeaderAbsent(let name):
      return guess("header_removed", "something has removed the header \(name.quoted)")
    case .headerUnsigned(let name):
      return guess(
        "header_added",
        "something has added the header \(name.quoted) after signing, or the client does not sign it")
    case .payloadHashMismatch:
      return guess("body_changed", "the body was changed after signing, or is not all there")
    case .scopeDateMismatch:
      return guess(
        "day_changed", "the scope was made on another day: a signing key was kept past midnight, in UTC")
    default: return []
    }
  }
}
