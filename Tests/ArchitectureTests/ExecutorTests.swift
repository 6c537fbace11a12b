internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The executor of tasks.
@Suite struct ExecutorTests {
  /// Nothing takes the place of the concurrency runtime's own executor.
  ///
  /// A task that runs on another one may be queued again where a function says that its closure runs at once. Libraries hold
  /// locks there, which the next task in the queue then waits for on the thread that would release them.
  @Test func noProgramReplacesTheGlobalExecutor() throws {
    let sources = "\(VectorFile.root)/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: sources))
    var count = 0
    for case let path as String in paths where path.hasSuffix(".swift") {
      let source = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
      count += 1
      for word in ["AsConcurrencyGlobalExecutor", "enqueueGlobal_hook", "ExecutorFactory"] {
        #expect(!source.contains(word), "\(path) has \(word)")
      }
    }
    #expect(count > 500)
  }
}
