internal import Foundation
internal import TokenSecurityPlatform

/// Figures of this process, with the names that Prometheus's own client libraries use.
package struct ProcessFigures {
  /// The start of the process, in seconds since 1970.
  private let start: Double

  /// Makes figures of a process.
  ///
  /// - Parameter start: its start, in seconds since 1970.
  package init(start: Double) { self.start = start }

  /// The figures that the system provides.
  package var readings: [MetricReading] {
    var readings: [MetricReading] = []
    func add(_ name: String, _ kind: MetricReading.Kind, _ help: String, _ value: Double?) {
      guard let value else { return }
      readings.append(MetricReading(name: "process_" + name, help: help, kind: kind, value: value))
    }
    add(
      "cpu_seconds_total", .counter, "The CPU time of the process, in user and system mode.",
      SystemClock.processSeconds)
    add("resident_memory_bytes", .gauge, "The resident memory.", Self.memory.map { $0.resident })
    add("virtual_memory_bytes", .gauge, "The virtual memory.", Self.memory.map { $0.virtual })
    let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    add("open_fds", .gauge, "The open file descriptors.", files.map(Double.init))
    add("max_fds", .gauge, "The most file descriptors that the process may open.", Self.mostFiles)
    add("start_time_seconds", .gauge, "The start of the process, in seconds since 1970.", start)
    return readings
  }

  /// The memory in bytes. Linux only.
  private static var memory: (virtual: Double, resident: Double)? {
    guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return nil }
    let pages = data.prefix(64).split(separator: UInt8(ascii: " ")).prefix(2).compactMap {
      Double(String(decoding: $0, as: UTF8.self))
    }
    guard pages.count == 2 else { return nil }
    let size = Double(sysconf(Int32(_SC_PAGESIZE)))
    return (pages[0] * size, pages[1] * size)
  }

  private static var mostFiles: Double? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Double(limit.rlim_cur)
  }
}
