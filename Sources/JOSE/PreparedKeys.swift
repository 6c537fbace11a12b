internal import CryptoPrimitives
internal import Encodings

/// A key set made ready to verify: each key with one checker for each algorithm that it may be used
/// with, so that no token pays for reading keys.
///
/// Nothing here changes after it is made; threads share it without waiting for one another.
final class PreparedKeys: Sendable {
  private let entries: [Entry]
  /// The entries' names, and what stands for a key without one.
  private let keyIDs: TextTable
  private let hasKeyID: [Bool]
  private let byKeyID: [String: [Int]]
  private let servesAnyKeyID: Bool
  private let candidateLimit: Int

  /// From this many keys on, `kid` is looked up in a table.
  private static let manyKeys = 12

  private final class Entry: Sendable {
    let key: JWK
    let algorithms: [Algorithm]
    let checkers: [Checker]

    init(_ key: JWK, _ algorithms: [Algorithm], _ checkers: [Checker]) {
      self.key = key
      self.algorithms = algorithms
      self.checkers = checkers
    }
  }

  enum Checker: Sendable {
    case signature(SignatureChecker)
    case code(MessageAuthenticator)
  }

  init(_ set: JWKSet, rules: SignatureRules) throws(JOSEError) {
    var entries: [Entry] = []
    var byKeyID: [String: [Int]] = [:]
    for key in set.keys {
      let algorithms = key.algorithms.filter {
        rules.algorithms.contains($0) && key.fault(.verify, $0) == nil
      }
      var checkers: [Checker] = []
      for algorithm in algorithms { checkers.append(try Self.checker(key, algorithm)) }
      if let keyID = key.keyID { byKeyID[keyID, default: []].append(entries.count) }
      entries.append(Entry(key, algorithms, checkers))
    }
    self.entries = entries
    keyIDs = TextTable(set.keys.map { $0.keyID ?? "" })
    hasKeyID = set.keys.map { $0.keyID != nil }
    self.byKeyID = byKeyID
    servesAnyKeyID = set.servesAnyKeyID
    candidateLimit = rules.candidateLimit
  }

  private static func checker(_ key: JWK, _ algorithm: Algorithm) throws(JOSEError) -> Checker {
    do throws(CryptoError) {
      if case .shared(let secret) = key.material, let digest = algorithm.hmacDigest {
        return .code(try MessageAuthenticator(key: secret.bytes, digest: digest))
      }
      guard let publicKey = key.publicKey,
        let scheme = algorithm.scheme(for: publicKey.components)
      else { throw CryptoError.unsupportedKeyType(key.kind.rawValue) }
      return .signature(try SignatureChecker(key: publicKey, scheme: scheme))
    } catch {
      throw JOSEError(error)
    }
  }

  /// The keys that may have signed a token of this header: never empty.
  struct Candidates {
    fileprivate let first: Int
    fileprivate let others: [Int]

    /// How many there are.
    var count: Int { 1 + others.count }
  }

  /// Finds the keys for a token: those with its `kid`, or all where it has none, as far as
  /// they fit `algorithm`.
  func candidates(
    _ header: JOSEHeader, _ algorithm: Algorithm
  ) throws(JOSEError) -> Candidates {
    var first = -1
    var others: [Int] = []
    var fault: JOSEError? = nil
    func consider(_ index: Int) {
      if entries[index].algorithms.contains(algorithm) {
        if first < 0 { first = index } else { others.append(index) }
      } else if fault == nil {
        fault = entries[index].key.fault(.verify, algorithm)
      }
    }
    let place = header.places.keyID
    if place < 0 || servesAnyKeyID {
      for index in entries.indices { consider(index) }
    } else if entries.count < Self.manyKeys {
      for index in hasKeyID.indices
      where hasKeyID[index] && keyIDs.matches(index, header.document, at: place) {
        consider(index)
      }
    } else if let keyID = header.keyID {
      for index in byKeyID[keyID] ?? [] where entries[index].key.keyID?.isIdentical(to: keyID) == true {
        consider(index)
      }
    }
    guard first >= 0 else {
      // What is wrong with the one key that was meant says more than that there is none.
      if let fault, place >= 0 || entries.count == 1 { throw fault }
      throw .keyNotFound(kid: header.keyID, algorithm: algorithm)
    }
    guard others.count < candidateLimit else {
      throw .keyAmbiguous(count: others.count + 1, limit: candidateLimit)
    }
    return Candidates(first: first, others: others)
  }

  /// The number of the key that `signature` over `input` holds for.
  func verify(
    _ candidates: Candidates, _ algorithm: Algorithm, input: borrowing Span<UInt8>,
    signature: borrowing Span<UInt8>
  ) throws(JOSEError) -> Int {
    if try check(candidates.first, algorithm, input, signature, isOnly: candidates.count == 1) {
      return candidates.first
    }
    for index in candidates.others {
      if try check(index, algorithm, input, signature, isOnly: false) { return index }
    }
    throw .signatureInvalid
  }

  private func check(
    _ index: Int, _ algorithm: Algorithm, _ input: borrowing Span<UInt8>,
    _ signature: borrowing Span<UInt8>, isOnly: Bool
  ) throws(JOSEError) -> Bool {
    guard let place = entries[index].algorithms.firstIndex(of: algorithm) else { return false }
    do {
      switch entries[index].checkers[place] {
      case .signature(let checker): return try checker.check(signature, over: input)
      case .code(let authenticator): return try authenticator.check(signature, over: input)
      }
    } catch {
      // A length that is wrong for one of several keys may be right for the next.
      guard isOnly else { return false }
      if case .wrongLength(let expected, let found) = error {
        throw .signatureLength(expected: expected, found: found)
      }
      throw JOSEError(error)
    }
  }

  /// The key of this number.
  func key(_ index: Int) -> JWK { entries[index].key }

  /// What the key of this number is called, for a token of this header: that is the header's own text
  /// where the key was found by it.
  func name(_ index: Int, _ header: borrowing JOSEHeader) -> VerifiedToken.KeyName {
    guard hasKeyID[index] else { return .nameless }
    return header.places.keyID >= 0 && !servesAnyKeyID
      ? .asInHeader : .named(entries[index].key.keyID ?? "")
  }

  /// The keys among `candidates`, for an explanation.
  func keys(_ candidates: Candidates) -> [JWK] {
    ([candidates.first] + candidates.others).map { entries[$0].key }
  }
}
