package import NIOCore

/// Runs the tasks of a connection on its event loop.
///
/// Otherwise each part of a request and each response would pass from the event loop to a thread of the
/// concurrency pool and back, which costs more than the rest of the HTTP server.
package final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  package init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Sound: the closure keeps the executor until the job has run.
    eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
