internal import TokenLifetime
internal import TokenSecurityBase

/// The rules of a policy that need no key, in the order in which they are checked. Verification and
/// explanation use this one list.
enum VerifierRule: Int, CaseIterable {
  case placement, algorithm, service, region, scopeDate, time, signedHeaders, host, payload, ambiguity

  var name: String {
    switch self {
    case .scopeDate: "scope date"
    case .signedHeaders: "signed headers"
    default: "\(self)"
    }
  }

  static let count = allCases.count
}

extension RequestVerifier {
  func check(_ request: UnverifiedRequest, at now: Timestamp) throws(SigV4Error) {
    let parameters = request.parameters
    for number in 0..<VerifierRule.count {
      if let rule = VerifierRule(rawValue: number) { try check(rule, request, parameters, now) }
    }
  }

  func check(
    _ rule: VerifierRule, _ request: UnverifiedRequest, _ parameters: SignatureParameters, _ now: Timestamp
  ) throws(SigV4Error) {
    switch rule {
    case .placement:
      let placement = parameters.placement
      guard placement == .header ? accepted.headers : accepted.query else {
        throw .placementNotAccepted(placement)
      }
    case .algorithm:
      let algorithm = parameters.algorithm
      guard algorithm == .hmacSHA256 ? accepted.hmac : accepted.ecdsa else {
        throw .algorithmNotAccepted(algorithm)
      }
    case .service:
      guard parameters.credential.hasService(policy.service) else {
        throw .wrongService(actual: parameters.scope.service, expected: policy.service)
      }
    case .region: try checkRegion(request)
    case .scopeDate:
      guard parameters.scopeHasDay else {
        throw .scopeDateMismatch(scope: parameters.scope.day, date: parameters.date)
      }
    case .time: try checkTime(request, now)
    case .signedHeaders: try checkSignedHeaders(request)
    case .host:
      guard case .oneOf(let hosts) = policy.hosts else { return }
      if let host = accepted.host, request.hasHost(host) { return }
      let host = request.head["host"] ?? ""
      guard hosts.contains(ExactString(host)) || hosts.contains(ExactString(host.lowercasedASCII)) else {
        throw .hostNotAccepted(host)
      }
    case .payload: try checkPayload(request)
    case .ambiguity: try request.head.checkAmbiguities(policy, parameters.placement)
    }
  }

  private func checkRegion(_ request: UnverifiedRequest) throws(SigV4Error) {
    let parameters = request.parameters
    if parameters.algorithm == .hmacSHA256 {
      guard parameters.credential.hasRegion(policy.region) else {
        throw .wrongRegion(actual: parameters.scope.region ?? "", expected: policy.region)
      }
      return
    }
    let reaches = parameters.regionSet.contains { entry in
      entry.hasSuffix("*") ? policy.region.hasPrefix(String(entry.dropLast())) : entry == policy.region
    }
    guard reaches else {
      throw .wrongRegion(actual: parameters.regionSet.joined(separator: ","), expected: policy.region)
    }
  }

  private func checkTime(_ request: UnverifiedRequest, _ now: Timestamp) throws(SigV4Error) {
    let date = request.parameters.date
    guard let expires = request.parameters.expiresSeconds else {
      return try Self.checkSkew(date, now, accepted.skew)
    }
    let rule = LifetimeRule.presignedURL
    do { _ = try rule.validate(requested: .seconds(expires)) } catch { throw .lifetime(error) }
    guard .seconds(expires) <= policy.longestExpiry else {
      throw .lifetime(
        .tooLong(rule: rule.name, requested: .seconds(expires), longest: policy.longestExpiry))
    }
    guard date <= now.advanced(bySeconds: accepted.skew) else {
      throw .requestFromFuture(date: date, now: now)
    }
    let end = date.advanced(bySeconds: expires)
    guard now <= end else { throw .presignedExpired(at: end, now: now) }
  }

  static func checkSkew(_ date: Timestamp, _ now: Timestamp, _ skew: Int64) throws(SigV4Error) {
    guard date <= now.advanced(bySeconds: skew) else { throw .requestFromFuture(date: date, now: now) }
    guard date.advanced(bySeconds: skew) >= now else { throw .requestExpired(date: date, now: now) }
  }

  private func checkSignedHeaders(_ request: UnverifiedRequest) throws(SigV4Error) {
    let signed = request.parameters.signedNames
    let table = request.table
    let entries = table.entries.span
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      index = table.endOfName(at: index)
      if entry.isSigned { continue }
      // Of all headers that break the rule, the first in the order of names is reported.
      if let absent = signed.absent,
        ByteOrder.compare(signed.bytes.span, absent, table.names.span, entry.name) < 0
      {
        break
      }
      try checkUnsigned(table, entry, request.parameters.placement)
    }
    if let absent = signed.absent {
      throw .signedHeaderAbsent(String(decoding: signed.bytes[absent], as: UTF8.self))
    }
  }

  private func checkUnsigned(
    _ table: HeaderTable, _ entry: HeaderTable.Entry, _ placement: SignaturePlacement
  ) throws(SigV4Error) {
    if table.hasName(entry, "x-amz-security-token"), policy.sessionToken == .addedAfterSigning { return }
    let mustBeSigned =
      table.hasPrefix(entry, "x-amz-") || table.hasName(entry, "host") || table.hasName(entry, "content-type")
    guard mustBeSigned else { return }
    let name = table.text(entry)
    guard VerifierPolicy.UnsignedHeader(name: name).map(policy.acceptedUnsignedHeaders.contains) == true
    else {
      throw .headerUnsigned(name)
    }
  }

  private func checkPayload(_ request: UnverifiedRequest) throws(SigV4Error) {
    let binding: PayloadBinding
    switch request.declaredPayload {
    case nil:
      let isHeader = request.parameters.placement == .header
      guard policy.form != .s3 || !isHeader else { throw .payloadHashMissing }
      binding = policy.form == .s3 ? .nothing : .hash
    case .sha256: binding = .hash
    case .mode(let mode):
      if let algorithm = mode.algorithm, algorithm != request.parameters.algorithm {
        throw .payloadModeAlgorithm(mode, request.parameters.algorithm)
      }
      guard request.parameters.placement == .header || mode == .unsigned else {
        throw .payloadNotPresignable
      }
      binding =
        switch mode {
        case .unsigned: .nothing
        case .unsignedChunksWithTrailer: .unsignedChecksum
        case .chunks, .chunksWithTrailer, .ecdsaChunks, .ecdsaChunksWithTrailer: .signedChunks
        case .events, .ecdsaEvents: .signedEvents
        }
    }
    guard binding == .hash ? accepted.hash : policy.payloads.contains(binding) else {
      throw .payloadNotAccepted(binding)
    }
  }
}
