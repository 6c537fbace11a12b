internal import Encodings
internal import TokenLifetime

/// What a policy says of a request before any key is there.
extension RequestVerifier {
  func judge(_ request: UnverifiedRequest, at now: AmzDate) throws(SigV4Error) {
    for check in Self.checks { try check.judge(self, request, now) }
  }

  /// One demand, with the name under which it is explained.
  struct Check: Sendable {
    let name: String
    let judge: @Sendable (RequestVerifier, UnverifiedRequest, AmzDate) throws(SigV4Error) -> Void
  }

  /// All demands, in the order in which they are judged: the list that decides also explains.
  static let checks: [Check] = [
    Check(name: "placement") { verifier, request, _ throws(SigV4Error) in
      let placement = request.parameters.placement
      guard verifier.policy.placements.contains(placement) else { throw .placementNotAccepted(placement) }
    },
    Check(name: "algorithm") { verifier, request, _ throws(SigV4Error) in
      let algorithm = request.parameters.algorithm
      guard verifier.policy.algorithms.contains(algorithm) else { throw .algorithmNotAccepted(algorithm) }
    },
    Check(name: "service") { verifier, request, _ throws(SigV4Error) in
      guard request.parameters.scope.service == verifier.policy.service else {
        throw .wrongService(found: request.parameters.scope.service, wanted: verifier.policy.service)
      }
    },
    Check(name: "region") { verifier, request, _ throws(SigV4Error) in try verifier.checkRegion(request) },
    Check(name: "scope date") { _, request, _ throws(SigV4Error) in
      let parameters = request.parameters
      guard parameters.scope.day.utf8.elementsEqual(parameters.date.day) else {
        throw .scopeDateMismatch(scope: parameters.scope.day, date: parameters.date)
      }
    },
    Check(name: "time") { verifier, request, now throws(SigV4Error) in try verifier.checkTime(request, now) },
    Check(name: "signed headers") { verifier, request, _ throws(SigV4Error) in
      try verifier.checkSignedHeaders(request)
    },
    Check(name: "host") { verifier, request, _ throws(SigV4Error) in
      guard case .oneOf(let hosts) = verifier.policy.hosts else { return }
      let host = (request.head["host"] ?? "").lowercased()
      guard hosts.contains(host) else { throw .hostNotAccepted(host) }
    },
    Check(name: "payload") { verifier, request, _ throws(SigV4Error) in try verifier.checkPayload(request) },
    Check(name: "ambiguity") { verifier, request, _ throws(SigV4Error) in
      try request.head.checkAmbiguities(verifier.policy)
    },
  ]

  private func checkRegion(_ request: UnverifiedRequest) throws(SigV4Error) {
    let parameters = request.parameters
    if let region = parameters.scope.region {
      guard region == policy.region else { throw .wrongRegion(found: region, wanted: policy.region) }
      return
    }
    let reaches = parameters.regionSet.contains { entry in
      entry.hasSuffix("*") ? policy.region.hasPrefix(entry.dropLast()) : entry == policy.region
    }
    guard reaches else {
      throw .wrongRegion(found: parameters.regionSet.joined(separator: ","), wanted: policy.region)
    }
  }

  private func checkTime(_ request: UnverifiedRequest, _ now: AmzDate) throws(SigV4Error) {
    let date = request.parameters.date
    guard let expires = request.parameters.expires else { return try Self.checkSkew(date, now, policy.skew) }
    let rule = LifetimeRule.presignedURL
    do { _ = try rule.judge(requested: expires) } catch { throw .lifetime(error) }
    guard expires <= policy.longestExpiry else {
      throw .lifetime(.tooLong(rule: rule.name, seconds: expires, longest: policy.longestExpiry))
    }
    guard date <= now.advanced(bySeconds: policy.skew) else { throw .requestFromFuture(date: date, now: now) }
    let end = date.advanced(bySeconds: expires)
    guard now <= end else { throw .presignedExpired(at: end, now: now) }
  }

  static func checkSkew(_ date: AmzDate, _ now: AmzDate, _ skew: Int64) throws(SigV4Error) {
    guard date <= now.advanced(bySeconds: skew) else { throw .requestFromFuture(date: date, now: now) }
    guard date >= now.advanced(bySeconds: -skew) else { throw .requestExpired(date: date, now: now) }
  }

  private func checkSignedHeaders(_ request: UnverifiedRequest) throws(SigV4Error) {
    let signed = request.parameters.signedHeaders
    let table = request.table
    // Both lists are sorted: one walk finds what is signed and absent, and what is present and unsigned.
    var next = 0
    var index = 0
    while index < table.entries.count || next < signed.count {
      let order =
        if next == signed.count {
          1
        } else if index == table.entries.count {
          -1
        } else {
          table.compare(signed[next], table.entries[index])
        }
      if order < 0 { throw .signedHeaderAbsent(signed[next]) }
      if order > 0 {
        try checkUnsigned(table, table.entries[index], request.parameters.placement)
        index += 1
        continue
      }
      next += 1
      let name = table.entries[index].name
      while index < table.entries.count, table.compare(name, table.entries[index].name) == 0 { index += 1 }
    }
  }

  private func checkUnsigned(
    _ table: HeaderTable, _ entry: HeaderTable.Entry, _ placement: SignatureParameters.Placement
  ) throws(SigV4Error) {
    if table.hasName(entry, "x-amz-security-token"), policy.sessionToken == .addedAfterSigning { return }
    guard !table.hasPrefix(entry, "x-amz-"), !table.hasName(entry, "host"),
      !table.hasName(entry, "content-type")
    else { throw .headerUnsigned(table.text(entry)) }
  }

  private func checkPayload(_ request: UnverifiedRequest) throws(SigV4Error) {
    let binding: VerifierPolicy.PayloadBinding
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
    guard policy.payloads.contains(binding) else { throw .payloadNotAccepted(binding) }
  }
}

extension HeaderTable {
  /// Less than 0 where `name` comes before the entry's.
  func compare(_ name: String, _ entry: Entry) -> Int {
    let text = name.utf8.span
    let bytes = names.span
    let common = min(text.count, entry.name.count)
    var index = 0
    while index < common {
      let difference = Int(text[index]) - Int(bytes[entry.name.lowerBound + index])
      guard difference == 0 else { return difference }
      index += 1
    }
    return text.count - entry.name.count
  }
}
