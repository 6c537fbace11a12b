import CBare
import Foundation
import Glibc
import JOSE

/// Measures one round of every contender and writes rows of JSON: `{"group", "name", "us"}`. The driver
/// `run.py` calls it several times, puts the Python peers between, and makes the table.
@main
struct Main {
  static func main() async throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "material" {
      try writeMaterial(to: CommandLine.arguments[2])
      let folder = URL(filePath: CommandLine.arguments[2])
      try JSONEncoder().encode(Decisions.material).write(to: folder.appending(path: "policy.json"))
      let file = folder.appending(path: "sign-in.json")
      let bench = try SignIns()
      try WholeSignIns(bench.challenge(bench.begin().request).message).write(to: file)
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "policies"] {
      try await compare("policies", Decisions.contenders(), 1_000)
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "memory"] {
      try await memory(Material(.rs256))
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "timing"] {
      try await Timing.run()
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "timing", "user-pools"] {
      try await Timing.userPools()
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "timing", "names"] {
      guard try await NameTiming.run() else { exit(1) }
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "powers"] {
      try await compare("sign-ins", SignIns.serverPowers(), 10, processorTime)
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "synchronisation"] {
      try await synchronisation()
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "sign-ins"] {
      try await compare("sign-ins", SignIns.contenders(), 10, processorTime)
      try await compare("codes", Codes.contenders(), 5_000)
      return
    }
    if CommandLine.arguments == [CommandLine.arguments[0], "sodium"] {
      let material = try Material(.ed25519)
      try await compare(Algorithm.ed25519.name, [material.library("this library, trait Sodium")], 300)
      try threads(
        Algorithm.ed25519.name, "\(twice), trait Sodium", material.verifier().verify, [material.token], 300)
      return
    }
    for algorithm in [Algorithm.rs256, .es256, .ed25519, .hs256] {
      let material = try Material(algorithm)
      let count = algorithm == .hs256 ? 2_000 : 300
      try await compare(algorithm.name, material.contenders(), count)
      try threads(algorithm.name, twice, material.verifier().verify, [material.token], count)
    }
    let material = try Material(.rs256)
    let contenders = try await Issuers.contenders(material)
    try await compare("issuers", contenders, 1_000)
    let repeated = try Repeated(material)
    try await compare("cache", repeated.contenders(), 10_000)
    for (name, tokens) in [("one token", [material.token]), ("ten thousand in turn", repeated.tokens)] {
      try threads("cache", "\(name), two threads, times one", repeated.cached.verify, tokens, 10_000)
    }
    let verifier = try await Issuers.single(material)
    try threads(
      "issuers", twice, { token, now in try verifier.verify(token, at: now) }, [material.token], 300)
    try await compare("proofs", Issuers.proofs(), 300)
    try await compare("requests", Requests().contenders(), 1_000)
    try await compare("streams", Streams().contenders(), 4)
    try await compare("policies", Decisions.contenders(), 1_000)
    try await compare("sign-ins", SignIns.contenders(), 10, processorTime)
    try await compare("codes", Codes.contenders(), 5_000)
    try await synchronisation()
    try await memory(material)
  }

  /// Processor time: the time of a synced commit is the disk's.
  private static func synchronisation() async throws {
    let (calls, count) = (try await DatasetCalls(), 100)
    try await compare("data sets: changes", calls.updates((passes + 1) * count), count, processorTime)
    try await compare("data sets: pages", calls.lists(), 200, processorTime)
    try await compare("data sets: client", Synchronisations().contenders(), 500, processorTime)
    try await compare("data sets: messages", Synchronisations.messages(), 5_000, processorTime)
  }

  /// How often contenders are measured, after one time that does not count.
  private static let passes = 12

  private static func compare(
    _ group: String, _ contenders: [Contender], _ count: Int, _ clock: () -> Double = now
  ) async throws {
    var times = [[Double]](repeating: [], count: contenders.count)
    // One contender after the other, again and again: drift of the machine falls on all alike.
    for pass in 0...passes {
      for (index, contender) in contenders.enumerated() {
        let time = try await measure(contender, count, clock)
        if pass > 0 { times[index].append(time) }
      }
    }
    for (index, contender) in contenders.enumerated() { row(group, contender.name, median(times[index])) }
  }

  private static func measure(
    _ contender: Contender, _ count: Int, _ clock: () -> Double
  ) async throws -> Double {
    let start = clock()
    guard try await contender.run(count) else { fatalError("\(contender.name) refused the token") }
    return (clock() - start) / Double(count)
  }

  private static let twice = "two threads, times one"

  /// Two threads against one, each verifying as much: the time for all of it, per token.
  private static func threads(
    _ group: String, _ name: String,
    _ verify: @escaping @Sendable (String, NumericDate) throws -> VerifiedToken, _ tokens: [String],
    _ count: Int
  ) throws {
    let work = count * 8
    var ratios: [Double] = []
    for _ in 0..<9 {
      var elapsed: [Double] = []
      for threads in [1, 2] {
        let start = now()
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
          // Tokens come from different requests: each thread has a text of its own.
          let tokens = tokens.map { String(decoding: Array($0.utf8), as: UTF8.self) }
          for index in 0..<work {
            guard (try? verify(tokens[index % tokens.count], .now)) != nil else {
              fatalError("the token was refused")
            }
          }
        }
        elapsed.append((now() - start) / Double(threads))
      }
      ratios.append(elapsed[0] / elapsed[1])
    }
    row(group, name, median(ratios))
  }

  /// Bytes in use after many tokens, beyond those after a few; and those of kept keys.
  private static func memory(_ material: Material) async throws {
    let verifier = try material.verifier()
    for _ in 0..<1_000 { _ = try verifier.verify(material.token) }
    let before = bare_bytes_in_use()
    for _ in 0..<20_000 { _ = try verifier.verify(material.token) }
    row("memory", "bytes in use that 20,000 tokens add", Double(bare_bytes_in_use()) - Double(before))
    row("memory", "10,000 kept keys of sessions, MiB", try await SessionRequests.memory())
  }

  /// Keys and tokens for the peers that are measured as processes or in Python.
  private static func writeMaterial(to folder: String) throws {
    var all: [String: [String: String]] = [:]
    for algorithm in [Algorithm.rs256, .es256, .ed25519, .hs256] {
      let material = try Material(algorithm)
      var entry = ["token": material.token, "pem": material.publicPEM]
      entry["secret"] = Data(material.secret).base64EncodedString()
      entry["jwk"] = material.key.publicJWK.map { JSONValue.object($0).description }
      all[algorithm.name] = entry
    }
    try JSONEncoder().encode(all).write(to: URL(filePath: folder).appending(path: "material.json"))
  }

  private static func row(_ group: String, _ name: String, _ value: Double) {
    print("{\"group\":\"\(group)\",\"name\":\"\(name)\",\"value\":\(value)}")
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func now() -> Double { read(CLOCK_MONOTONIC) }

  /// Of all threads. A sign-in waits between its calls, and the time of that is the machine's.
  private static func processorTime() -> Double { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
