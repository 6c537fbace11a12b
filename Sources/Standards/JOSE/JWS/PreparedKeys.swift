internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A key set prepared for verification: each key has one checker for each algorithm that it may be used with,
/// so that no token pays for reading keys.
///
/// Immutable: threads share it without waiting for one another.
package final class PreparedKeys: Sendable {
  private let keys: [JWK]
  /// The keys' names, empty for a key without one.
  private let keyIDs: TextTable
  private let hasKeyID: [Bool]
  private let byKeyID: [ExactString: [Int]]
  private let servesAnyKeyID: Bool
  /// For each key the algorithms that it can verify, and the index of its first checker.
  private let algorithms: [AlgorithmBits]
  private let firstChecker: [Int]
  private let checkers: [(algorithm: Algorithm, checker: Checker)]
  /// The same checkers at the same indices, borrowed: a call through these does not change a reference count
  /// that all threads share. `checkers` keeps them alive as long as this object.
  private let borrowed: [BorrowedChecker]

  /// From this number of keys on, `kid` is looked up in a dictionary.
  private static let manyKeys = 12

  /// Identifies a prepared key set. Cached tokens keep this object instead of the set, so that the address of
  /// a freed set is never mistaken for that of a new one.
  final class Identity: Sendable {}

  /// The identity of this set.
  let identity = Identity()

  enum Checker: Sendable {
    case signature(SignatureChecker)
    case code(MessageAuthenticator)
  }

  /// The `kid` of the key that verified a token.
  enum KeyName: Sendable, Hashable {
    /// The same as in the header.
    case asInHeader
    case named(String)
    case nameless

    /// The same name with a text of its own.
    var copy: KeyName {
      guard case .named(let name) = self else { return self }
      return .named(String(decoding: Array(name.utf8), as: UTF8.self))
    }
  }

  /// Prepares the keys of `set` for every algorithm that they themselves allow.
  package convenience init(_ set: JWKSet) throws(JOSEError) {
    try self.init(set, rules: SignatureRules())
  }

  init(_ set: JWKSet, rules: SignatureRules) throws(JOSEError) {
    var byKeyID: [ExactString: [Int]] = [:]
    var bits: [AlgorithmBits] = []
    var firstChecker: [Int] = []
    var checkers: [(Algorithm, Checker)] = []
    for (index, key) in set.keys.enumerated() {
      let algorithms = key.algorithms.filter {
        rules.algorithms.contains($0) && key.error(.verify, $0) == nil
      }
      bits.append(AlgorithmBits(algorithms))
      firstChecker.append(checkers.count)
      for algorithm in algorithms { checkers.append((algorithm, try Self.checker(key, algorithm))) }
      if let keyID = key.keyID { byKeyID[ExactString(keyID), default: []].append(index) }
    }
    keys = set.keys
    algorithms = bits
    self.firstChecker = firstChecker
    self.checkers = checkers
    borrowed = checkers.map { BorrowedChecker($0.1) }
    keyIDs = TextTable(set.keys.map { $0.keyID ?? "" })
    hasKeyID = set.keys.map { $0.keyID != nil }
    self.byKeyID = byKeyID
    servesAnyKeyID = set.servesAnyKeyID
  }

  private static func checker(_ key: JWK, _ algorithm: Algorithm) throws(JOSEError) -> Checker {
    do throws(CryptoError) {
      if case .shared(let secret) = key.material, let digest = algorithm.hmacDigest {
        return .code(try MessageAuthenticator(key: secret.bytes, digest: digest))
      }
      guard let publicKey = key.publicKey,
        let scheme = algorithm.scheme(for: publicKey.components)
      else { throw CryptoError.unsupportedKeyType(key.kind.name) }
      return .signature(try SignatureChecker(key: publicKey, scheme: scheme))
    } catch {
      throw JOSEError(error)
    }
  }

  /// True if a key has the `kid` of this header, or the header has none: a newer set would not help then.
  package func knows(_ header: JOSEHeader) -> Bool {
    guard let place = header.places.keyID, !servesAnyKeyID else { return true }
    return hasKeyID.indices.contains { hasKeyID[$0] && keyIDs.matches($0, header.document, at: place) }
  }

  /// The keys that may have signed a token of this header, each with a checker for this algorithm; at least
  /// one.
  struct Candidates: Sendable {
    let algorithm: Algorithm
    let first: Int
    fileprivate let others: [Int]

    var isOne: Bool { others.isEmpty }
  }

  /// Finds the keys for a token: those with its `kid`, or all if it has none, as far as they fit `algorithm`.
  ///
  /// - Throws: `keyNotFound` or the reason why the key with this `kid` cannot be used; `keyAmbiguous` for
  ///   more than `limit` keys. A key that was left out of the set is not found: a newer set may have it.
  func candidates(
    _ header: borrowing JOSEHeader, _ algorithm: Algorithm, limit: Int
  ) throws(JOSEError) -> Candidates {
    var first: Int? = nil
    var others: [Int] = []
    var unusable: JOSEError? = nil
    func consider(_ index: Int) {
      if algorithms[index].contains(algorithm) {
        if first == nil { first = index } else { others.append(index) }
      } else if unusable == nil {
        unusable = keys[index].error(.verify, algorithm)
      }
    }
    let place = servesAnyKeyID ? nil : header.places.keyID
    if let place {
      if keys.count < Self.manyKeys {
        for index in hasKeyID.indices
        where hasKeyID[index] && keyIDs.matches(index, header.document, at: place) {
          consider(index)
        }
      } else if let keyID = header.keyID {
        for index in byKeyID[ExactString(keyID)] ?? [] { consider(index) }
      }
    } else {
      for index in keys.indices { consider(index) }
    }
    guard let first else {
      // Why the matching key cannot be used says more than that none was found.
      if let unusable, header.places.keyID != nil || keys.count == 1 { throw unusable }
      throw .keyNotFound(kid: header.keyID, algorithm: algorithm)
    }
    guard others.count < limit else {
      throw .keyAmbiguous(count: others.count + 1, limit: limit)
    }
    return Candidates(algorithm: algorithm, first: first, others: others)
  }

  /// The index of the first key for which `signature` over `input` is valid.
  func verify(
    _ candidates: Candidates, input: borrowing Span<UInt8>, signature: borrowing Span<UInt8>
  ) throws(JOSEError) -> Int {
    let algorithm = candidates.algorithm
    if try check(candidates.first, algorithm, input, signature, isOnly: candidates.others.isEmpty) {
      return candidates.first
    }
    for index in candidates.others {
      if try check(index, algorithm, input, signature, isOnly: false) { return index }
    }
    throw invalid(candidates, input, signature)
  }

  private func check(
    _ index: Int, _ algorithm: Algorithm, _ input: borrowing Span<UInt8>,
    _ signature: borrowing Span<UInt8>, isOnly: Bool
  ) throws(JOSEError) -> Bool {
    var checker = firstChecker[index]
    while checkers[checker].algorithm != algorithm { checker += 1 }
    do {
      return try borrowed[checker].check(signature, over: input)
    } catch {
      // A length that is wrong for one of several keys may be right for the next.
      guard isOnly else { return false }
      if case .wrongLength(let expected, let actual) = error {
        throw .signatureLength(expected: expected, actual: actual)
      }
      throw JOSEError(error)
    }
  }

  /// Finds the key for which `signature` over `input` is valid.
  func key(
    verifying signature: borrowing Span<UInt8>, over input: borrowing Span<UInt8>,
    _ header: borrowing JOSEHeader, _ algorithm: Algorithm, limit: Int
  ) throws(JOSEError) -> JWK {
    keys[try verify(candidates(header, algorithm, limit: limit), input: input, signature: signature)]
  }

  /// The name of a key, for a token of this header: the header's own text if the key was found by it.
  func name(_ index: Int, _ header: borrowing JOSEHeader) -> KeyName {
    guard hasKeyID[index] else { return .nameless }
    return header.places.keyID != nil && !servesAnyKeyID
      ? .asInHeader : .named(keys[index].keyID ?? "")
  }

  /// The keys among `candidates`, for an explanation.
  func keys(_ candidates: Candidates) -> [JWK] {
    ([candidates.first] + candidates.others).map { keys[$0] }
  }
}

/// A checker whose owner keeps it alive.
@safe
private struct BorrowedChecker: Sendable {
  @unsafe
  private enum Reference: @unchecked Sendable {
    case signature(Unmanaged<SignatureChecker>)
    case code(Unmanaged<MessageAuthenticator>)
  }

  private let reference: Reference

  init(_ checker: PreparedKeys.Checker) {
    switch checker {
    case .signature(let checker): unsafe reference = .signature(Unmanaged.passUnretained(checker))
    case .code(let authenticator): unsafe reference = .code(Unmanaged.passUnretained(authenticator))
    }
  }

  func check(
    _ signature: borrowing Span<UInt8>, over input: borrowing Span<UInt8>
  ) throws(CryptoError) -> Bool {
    let result: Result<Bool, CryptoError>
    switch unsafe reference {
    case .signature(let checker):
      result = unsafe checker._withUnsafeGuaranteedRef { checker in
        Result { () throws(CryptoError) in try checker.check(signature, over: input) }
      }
    case .code(let authenticator):
      result = unsafe authenticator._withUnsafeGuaranteedRef { authenticator in
        Result { () throws(CryptoError) in try authenticator.check(signature, over: input) }
      }
    }
    return try result.get()
  }
}
