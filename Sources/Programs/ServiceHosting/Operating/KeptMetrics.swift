internal import CoreMetrics
internal import Synchronization
internal import TokenSecurityBase

/// The counters of a metric with two dimensions. They are made once: to find one by its label takes longer than many a request.
package final class Counters: Sendable {
  private let label: String
  private let names: (String, String)
  private let all = Mutex<[ExactString: [ExactString: Counter]]>([:])

  package init(label: String, names first: String, _ second: String) {
    self.label = label
    names = (first, second)
  }

  package func increment(_ first: String, _ second: String) {
    let (name, valueName) = (ExactString(first), ExactString(second))
    let counter = all.withLock { all in
      if let counter = all[name]?[valueName] { return counter }
      let counter = Counter(label: label, dimensions: [(names.0, first), (names.1, second)])
      all[name, default: [:]][valueName] = counter
      return counter
    }
    counter.increment()
  }
}

/// The timers of a metric with one dimension.
package final class Timers: Sendable {
  private let label: String
  private let name: String
  private let all = Mutex<[ExactString: CoreMetrics.Timer]>([:])

  package init(label: String, name: String) {
    self.label = label
    self.name = name
  }

  package func record(_ value: String, nanoseconds: Int64) {
    let key = ExactString(value)
    let timer = all.withLock { all in
      if let timer = all[key] { return timer }
      let timer = CoreMetrics.Timer(label: label, dimensions: [(name, value)])
      all[key] = timer
      return timer
    }
    timer.recordNanoseconds(nanoseconds)
  }
}
