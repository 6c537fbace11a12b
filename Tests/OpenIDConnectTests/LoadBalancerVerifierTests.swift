internal import JOSE
@testable internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Load balancers' keys, each at a separate URL.
@Suite struct LoadBalancerVerifierTests {
  static let arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188"
  let clock = SettableClock()
  let fetcher = ScriptedFetcher()
  let token: String
  let now = NumericDate(seconds: 1_767_225_600)
  let address: String
  let pem: String

  init() throws {
    let file = try VectorFile.load("openid")
    let vector = try file.cases.first { $0.id == "balancer-1" }.orThrow("no such case")
    token = try vector.input.text("token")
    let key = try file.extras.object("load_balancer_key")
    address = "https://public-keys.auth.elb.eu-west-1.amazonaws.com/" + (try key.text("kid"))
    pem = try key.text("pem")
  }

  private func verifier() throws -> LoadBalancerVerifier {
    let clock = self.clock
    return try LoadBalancerVerifier(
      LoadBalancer(arn: Self.arn), clientID: "client-1", issuer: .unchecked(because: "the signer is judged"),
      transport: fetcher, configuration: RemoteKeySetConfiguration(), logger: .silent
    ) { clock.seconds }
  }

  /// A token whose header names another key. Its signature is invalid.
  private func naming(_ keyID: String) throws -> String {
    let parts = token.split(separator: ".")
    var header = try JSONValue(parsing: Base64URL.decode(String(parts[0].prefix { $0 != "=" }))).object ?? [:]
    header["kid"] = .string(keyID)
    let text = Base64URL.string(JSONWriter.write(header))
    return text + "." + parts.dropFirst().joined(separator: ".")
  }

  @Test func theKeyIsFetchedByItsID() async throws {
    fetcher.answer(address, pem)
    let verifier = try verifier()
    #expect(throws: OpenIDError.keysNotCached(issuer: Self.arn)) { try verifier.verify(token, at: now) }
    let verified = try await verifier.verifyFetchingKeys(token, at: now)
    #expect(verified.claims["name"]?.string == "Jané")
    #expect(try verifier.verify(token, at: now) == verified)
    #expect(try await verifier.explainFetchingKeys(token, at: now).result == .success(verified))
    #expect(Set(fetcher.requests.map(\.url.description)) == [address])
  }

  @Test func unknownKeyIDsCostOneFetchPerCoolDown() async throws {
    fetcher.answer(address, pem)
    let verifier = try verifier()
    _ = try await verifier.verifyFetchingKeys(token, at: now)
    clock.advance(by: .seconds(10))
    for number in 10..<60 {
      let forged = try naming("f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e\(number)")
      await #expect { try await verifier.verifyFetchingKeys(forged, at: now) } throws: {
        ["fetch_status", "keys_not_held"].contains(($0 as? OpenIDError)?.codeText)
      }
    }
    #expect(fetcher.count == 2)
    // The proven key is still cached, and a new one is found after the cool-down.
    _ = try verifier.verify(token, at: now)
    clock.advance(by: .seconds(10))
    _ = try? await verifier.verifyFetchingKeys(naming("f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e99"), at: now)
    #expect(fetcher.count == 3)
  }

  @Test func aRepeatedUnknownKeyIDCostsNoMore() async throws {
    let verifier = try verifier()
    let forged = try naming("f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e00")
    for seconds in 0..<20 {
      _ = try? await verifier.verifyFetchingKeys(forged, at: now)
      #expect(fetcher.count == 1 + seconds / 10)
      clock.advance(by: .seconds(1))
    }
  }

  @Test func alternatingUnknownKeyIDsCostNoMore() async throws {
    let verifier = try verifier()
    let names = try ["00", "01"].map { try naming("f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e" + $0) }
    _ = try? await verifier.verifyFetchingKeys(names[0], at: now)
    clock.advance(by: .seconds(10))
    _ = try? await verifier.verifyFetchingKeys(names[1], at: now)
    // The first is dropped, and may not be searched for in the same cool-down.
    await #expect(throws: OpenIDError.keysNotCached(issuer: Self.arn)) {
      try await verifier.verifyFetchingKeys(names[0], at: now)
    }
    #expect(fetcher.count == 2)
  }

  @Test func unknownKeyIDsBeforeAnyKeyCostNoMore() async throws {
    let verifier = try verifier()
    for number in 10..<60 {
      let forged = try naming("f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e\(number)")
      await #expect { try await verifier.verifyFetchingKeys(forged, at: now) } throws: {
        ["fetch_status", "keys_not_held"].contains(($0 as? OpenIDError)?.codeText)
      }
    }
    #expect(fetcher.count == 1)
  }

  private static func madeUp(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "f1d5a3c0-6c7e-4d3a-9b1f-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Hundreds of invented key ids for each token of the real key, which is not cached.
  @Test func aFloodOfUnknownKeyIDsDoesNotBlockTheKey() async throws {
    fetcher.answer(address, pem)
    let verifier = try verifier()
    var number = 0
    var accepted = 0
    for _ in 0..<10 {
      for _ in 0..<70 {
        number += 1
        _ = try? await verifier.verifyFetchingKeys(naming(Self.madeUp(number)), at: now)
      }
      if (try? await verifier.verifyFetchingKeys(token, at: now)) != nil { accepted += 1 }
    }
    // An invented key id used up the search for any name; the real one was found when it came again.
    #expect(accepted == 9)
    #expect(fetcher.count == 2)
  }

  /// The same with key ids that each come twice.
  @Test func aFloodOfRepeatedKeyIDsCostsABoundedNumberOfFetches() async throws {
    fetcher.answer(address, pem)
    let verifier = try verifier()
    var number = 0
    for second in 1...100 {
      for _ in 0..<20 {
        number += 1
        for _ in 0..<2 { _ = try? await verifier.verifyFetchingKeys(naming(Self.madeUp(number)), at: now) }
      }
      clock.advance(by: .seconds(1))
      #expect(fetcher.count <= 17 * (second / 10 + 1))
    }
    // A new cool-down has begun: the real key id is one of the first.
    clock.advance(by: .seconds(10))
    _ = try await verifier.verifyFetchingKeys(token, at: now)
  }

  /// Keys of other load balancers are at the same location, and attackers can name them.
  @Test func foreignKeysDoNotEvictTheProvenOne() async throws {
    fetcher.answer(address, pem)
    let verifier = try verifier()
    _ = try await verifier.verifyFetchingKeys(token, at: now)
    for number in 0..<40 {
      clock.advance(by: .seconds(10))
      let name = Self.madeUp(number)
      fetcher.answer(String(address.dropLast(36)) + name, pem)
      _ = try? await verifier.verifyFetchingKeys(naming(name), at: now)
    }
    let before = fetcher.count
    _ = try verifier.verify(token, at: now)
    #expect(fetcher.count == before)
  }

  @Test func aHangingSearchDoesNotStopOthers() async throws {
    fetcher.answer(address, pem)
    let verifier = try verifier()
    let slow = Self.madeUp(1)
    fetcher.answer(String(address.dropLast(36)) + slow) { _ in
      await untilCancelled()
      return .failure(.connection("cancelled"))
    }
    #expect(throws: OpenIDError.keysNotCached(issuer: Self.arn)) {
      try verifier.verify(naming(slow), at: now)
    }
    // The real key id comes twice.
    _ = try? verifier.verify(token, at: now)
    _ = try await verifier.verifyFetchingKeys(token, at: now)
  }

  @Test(arguments: [
    "../../other", "f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e0/", "", "f1d5a3c0-6c7e-4d3a-9b1f-0a2b4c6d8e0%",
  ])
  func keyIDsMustBeUUIDs(_ keyID: String) async throws {
    let verifier = try verifier()
    await #expect { try await verifier.verifyFetchingKeys(naming(keyID), at: now) } throws: {
      ($0 as? OpenIDError)?.codeText == "claim_invalid"
    }
    #expect(fetcher.count == 0)
  }

  @Test func anotherLoadBalancersTokenFetchesNothing() async throws {
    let vector = try VectorFile.load("openid").cases.first { $0.id == "balancer-signer-other" }
    let other = try (vector?.input.text("token")).orThrow("no such case")
    await #expect { try await verifier().verifyFetchingKeys(other, at: now) } throws: {
      ($0 as? OpenIDError)?.codeText == "profile_mismatch"
    }
    #expect(fetcher.count == 0)
  }
}
