package import CoreMetrics
internal import Synchronization
internal import TokenSecurityBase

/// A figure that is read when the metrics are requested.
package struct MetricReading {
  package enum Kind: Sendable {
    case counter, gauge
  }

  package let name: String
  package let help: String
  package let kind: Kind
  package var dimensions: [(String, String)]
  package let value: Double

  /// Makes a figure.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - help: what it means.
  ///   - kind: whether it only rises.
  ///   - dimensions: what it is of. Default: nothing.
  ///   - value: the value.
  package init(
    name: String, help: String, kind: Kind, dimensions: [(String, String)] = [], value: Double
  ) {
    self.name = name
    self.help = help
    self.kind = kind
    self.dimensions = dimensions
    self.value = value
  }
}

/// A backend of swift-metrics that renders Prometheus's text format (version 0.0.4).
package final class PrometheusText: MetricsFactory {
  /// Descriptions of the recorded metrics.
  private let help: [(name: String, text: String)]
  private let state = Mutex<[Name: Series]>([:])

  /// Makes a backend.
  ///
  /// - Parameter help: what the recorded metrics mean, by their names.
  package init(help: [(name: String, text: String)]) { self.help = help }

  private struct Name: Hashable {
    let label: String
    let dimensions: String
  }

  private enum Series {
    case counter(Count)
    case gauge(Gauge)
    case histogram(Histogram)
  }

  // Metrics of other libraries may have dots and dashes in their names.
  private static func name(_ label: String, _ dimensions: [(String, String)]) -> Name {
    let plain = String(
      label.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ":": Character(scalar)
        default: "_"
        }
      })
    let texts = dimensions.map { key, value in
      let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
        "\n", with: "\\n")
      return "\(key)=\"\(escaped)\""
    }
    return Name(label: plain, dimensions: texts.joined(separator: ","))
  }

  private func series<T: Sendable>(_ name: Name, _ make: () -> (T, Series), _ found: (Series) -> T?) -> T {
    state.withLock { state in
      if let known = state[name].flatMap(found) { return known }
      let (made, series) = make()
      state[name] = series
      return made
    }
  }

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(Self.name(label, dimensions)) {
      let made = Count()
      return (made, .counter(made))
    } _: {
      if case .counter(let known) = $0 { known } else { nil }
    }
  }

  package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool)
    -> any RecorderHandler
  {
    series(Self.name(label, dimensions)) {
      let made = Gauge()
      return (made, .gauge(made))
    } _: {
      if case .gauge(let known) = $0 { known } else { nil }
    }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(Self.name(label, dimensions)) {
      let made = Histogram()
      return (made, .histogram(made))
    } _: {
      if case .histogram(let known) = $0 { known } else { nil }
    }
  }

  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  /// All metrics as text.
  ///
  /// - Parameter readings: figures that are not recorded but read now. Those of one name follow each other.
  /// - Returns: the text, in which each name has one `HELP` and one `TYPE` line.
  package func text(with readings: [MetricReading] = []) -> String {
    let all = state.withLock { $0 }.sorted {
      $0.key.label == $1.key.label ? $0.key.dimensions < $1.key.dimensions : $0.key.label < $1.key.label
    }
    var lines: [String] = []
    var last = ""
    func begin(_ label: String, _ kind: String, _ help: String) {
      if !(label == last) { lines += ["# HELP \(label) \(help)", "# TYPE \(label) \(kind)"] }
      last = label
    }
    for (name, series) in all {
      let help = help.first { $0.name == name.label }?.text ?? "Recorded by a library."
      begin(name.label, Self.kind(series), help)
      let braces = name.dimensions.isEmpty ? "" : "{\(name.dimensions)}"
      switch series {
      case .counter(let count): lines.append("\(name.label)\(braces) \(count.value.load(ordering: .relaxed))")
      case .gauge(let gauge): lines.append("\(name.label)\(braces) \(gauge.value.withLock { $0 })")
      case .histogram(let histogram): lines += histogram.lines(name.label, name.dimensions)
      }
    }
    for reading in readings {
      begin(reading.name, reading.kind == .counter ? "counter" : "gauge", reading.help)
      let name = Self.name(reading.name, reading.dimensions)
      lines.append("\(name.label)\(name.dimensions.isEmpty ? "" : "{\(name.dimensions)}") \(reading.value)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func kind(_ series: Series) -> String {
    switch series {
    case .counter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }
}

private final class Count: CounterHandler {
  let value = Atomic<Int64>(0)

  func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { value.store(0, ordering: .relaxed) }
}

private final class Gauge: RecorderHandler {
  let value = Mutex(0.0)

  func record(_ value: Int64) { self.value.withLock { $0 = Double(value) } }
  func record(_ value: Double) { self.value.withLock { $0 = value } }
}

/// A histogram of durations in seconds.
private final class Histogram: TimerHandler {
  private static let bounds: [Double] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

  private let state = Mutex((counts: [Int64](repeating: 0, count: bounds.count + 1), sum: 0.0))

  func recordNanoseconds(_ duration: Int64) {
    let seconds = Double(duration) / 1e9
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock {
      $0.counts[bucket] += 1
      $0.sum += seconds
    }
  }

  func lines(_ label: String, _ dimensions: String) -> [String] {
    let (counts, sum) = state.withLock { $0 }
    let front = dimensions.isEmpty ? "" : dimensions + ","
    let braces = dimensions.isEmpty ? "" : "{\(dimensions)}"
    var lines: [String] = []
    var total: Int64 = 0
    for (index, count) in counts.enumerated() {
      total += count
      let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
      lines.append("\(label)_bucket{\(front)le=\"\(bound)\"} \(total)")
    }
    lines.append("\(label)_sum\(braces) \(sum)")
    lines.append("\(label)_count\(braces) \(total)")
    return lines
  }
}
