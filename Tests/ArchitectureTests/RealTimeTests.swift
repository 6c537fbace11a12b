internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// Tests do not wait for real time, and do not measure it: a busy machine makes no test fail. What a test cannot await it
/// polls with `eventually` of `TokenSecurityTesting`, and limits of time run by a clock that it sets.
@Suite struct RealTimeTests {
  /// Places that may do so.
  private struct Allowed {
    let path: String
    let kind: RealTime.Kind
    let reason: String
  }

  private static let allowed: [Allowed] = [
    Allowed(
      path: "TokenSecurityTesting/Eventually.swift", kind: .sleep, reason: "the pause of `eventually`"),
    Allowed(
      path: "TokenSecurityTesting/Eventually.swift", kind: .elapsedTime,
      reason: "ends tests that would hang"),
    Allowed(path: "Interop/waiting.py", kind: .sleep, reason: "the pause of `eventually` in Python"),
    Allowed(path: "Interop/waiting.py", kind: .elapsedTime, reason: "ends tests that would hang"),
    Allowed(
      path: "TokenSecurityTesting/Program.swift", kind: .blockingWait, reason: "on a thread of its own"),
    Allowed(
      path: "TokenSecurityTesting/SettableClock.swift", kind: .sleep, reason: "a requirement of `Clock`"),
    Allowed(
      path: "ArchitectureTests/RealTime.swift", kind: .blockingWait, reason: "the names that are looked for"),
    Allowed(
      path: "PostgreSQLTestServer/TestServer.swift", kind: .sleep,
      reason: "at the exit of the process no task runs any more"),
    Allowed(
      path: "RecordsTests/ServerFailureTests.swift", kind: .sleep,
      reason: "the database looks for a connection that commits; a client would always be late"),
    Allowed(
      path: "RecordsTests/ConcurrencyTests.swift", kind: .blockingWait,
      reason: "holds the transaction on the thread of the database"),
    Allowed(
      path: "TokenSecurityTesting/SettableClock.swift", kind: .elapsedTime,
      reason: "the start of a clock that the test sets"),
    Allowed(
      path: "CognitoIdentityClientTests/CallerSessionKeyTests.swift", kind: .blockingWait,
      reason: "a function of the caller, on threads of its own"),
    Allowed(
      path: "CognitoUserPoolTests/ComputationThreadsTests.swift", kind: .blockingWait,
      reason: "work that occupies one of the threads that are tested"),
    Allowed(
      path: "CognitoUserPoolTests/ComputationThreadsTests.swift", kind: .polling,
      reason: "must need no timer while all threads compute"),
    Allowed(
      path: "SecretFlow/Main.swift", kind: .blockingWait, reason: "the main thread of a program"),
    Allowed(
      path: "Instructions/Probe/Main.swift", kind: .blockingWait, reason: "the main thread of a program"),
  ]

  private static let roots = ["Tests"] + examples.map { "Examples/\($0)/Tests" }

  private static var examples: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(VectorFile.root)/Examples")) ?? []
  }

  @Test func noTestWaitsForRealTime() throws {
    var used: Set<Int> = []
    var count = 0
    for root in Self.roots {
      let folder = "\(VectorFile.root)/\(root)"
      guard let paths = FileManager.default.enumerator(atPath: folder) else { continue }
      for case let path as String in paths where !path.contains(".build/") {
        let isSwift = path.hasSuffix(".swift")
        guard isSwift || path.hasSuffix(".py") else { continue }
        count += 1
        let source = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
        for finding in RealTime(source, isSwift ? .swift : .python).findings {
          if let index = Self.allowed.firstIndex(where: { $0.path == path && $0.kind == finding.kind }) {
            used.insert(index)
          } else {
            Issue.record("\(root)/\(path):\(finding.line): \(finding.kind): \(finding.text)")
          }
        }
      }
    }
    #expect(count > 300)
    for (index, allowed) in Self.allowed.enumerated() where !used.contains(index) {
      Issue.record("\(allowed.path) has no \(allowed.kind) any more")
    }
  }

  @Test(
    arguments: [
      ("try await Task.sleep(for: .seconds(1))", .sleep), ("Thread.sleep(forTimeInterval: 1)", .sleep),
      ("usleep(10)", .sleep), ("nanosleep(&time, nil)", .sleep), ("sleep (1)", .sleep),
      ("try await clock.sleep(for: pause)", .sleep), (#"let sql = "SELECT pg_"# + #"sleep(1)""#, .sleep),
      ("let start = ContinuousClock.now", .elapsedTime),
      ("let time = ContinuousClock().measure { run() }", .elapsedTime),
      ("let end = DispatchTime.now() + 1", .elapsedTime),
      ("#expect(Timestamp.now - start < .seconds(1))", .elapsedTime),
      ("#expect(\n  (0...60).contains(Timestamp.now.seconds - issued.seconds))", .elapsedTime),
      ("let recorded = try #require(start - Date() > -1)", .elapsedTime),
      ("while !isDone { await Task.yield() }", .polling),
      ("process.waitUntilExit()", .blockingWait), ("let done = DispatchSemaphore(value: 0)", .blockingWait),
      ("let data = pipe.fileHandleForReading.readDataToEndOfFile()", .blockingWait),
      ("flock(file, LOCK_EX)", .blockingWait), ("queue.sync { run() }", .blockingWait),
      ("pthread_join(thread, nil)", .blockingWait),
      (##"let a = #"\"# // a raw text"## + "\nusleep(1)", .sleep),
      ("let a = \"a \\\" b\"; usleep(1)", .sleep), ("/* a /* b */ c */ usleep(1)", .sleep),
      ("let a = \"\"\"\n  \" \\\"\"\"\n  \"\"\"\nusleep(1)", .sleep),
    ] as [(String, RealTime.Kind)])
  func swiftPlacesAreFound(_ source: String, _ kind: RealTime.Kind) {
    #expect(RealTime(source, .swift).findings.map(\.kind) == [kind])
  }

  @Test(
    arguments: [
      ("time.sleep(1)", .sleep), ("from time import sleep", .sleep), ("await asyncio.sleep(1)", .sleep),
      ("query = \"SELECT pg_" + "sleep(1)\"", .sleep),
      ("end = time.monotonic() + 60", .elapsedTime), ("start = time.perf_counter_ns()", .elapsedTime),
      ("assert time.time() - start < 8", .elapsedTime),
      ("assert abs(expiration - time.time() - 3600) < 60", .elapsedTime),
      ("a = 'it\\'s'; time.sleep(1)", .sleep), ("\"\"\"\n' # a\n\"\"\"\ntime.sleep(1)", .sleep),
    ] as [(String, RealTime.Kind)])
  func pythonPlacesAreFound(_ source: String, _ kind: RealTime.Kind) {
    #expect(RealTime(source, .python).findings.map(\.kind) == [kind])
  }

  @Test(arguments: [
    "// Task.sleep(for: .seconds(1))", "/* usleep(1) /* */ usleep(2) */", #"let a = "usleep(1)""#,
    "let a = \"\"\"\n  Task.sleep(for: 1)\n  \"\"\"", ##"let a = #"a " usleep(1)"#"##,
    "/// Not `ContinuousClock.now`.", "let now = Timestamp.now + .seconds(60)",
    "#expect(start <= issued && issued <= Timestamp.now)", "await Task.yield()", "asleep(1)",
    "try await eventually { isDone }",
  ])
  func otherSwiftIsNot(_ source: String) {
    #expect(RealTime(source, .swift).findings.isEmpty)
  }

  @Test(arguments: [
    "# time.sleep(1)", "\"\"\"time.sleep(1)\n' time.monotonic()\"\"\"", "a = 'time.sleep(1)'",
    "claims = {'exp': int(time.time()) + 60}", "asleep(1)", "eventually(lambda: is_done())",
  ])
  func otherPythonIsNot(_ source: String) {
    #expect(RealTime(source, .python).findings.isEmpty)
  }
}
