internal import TokenSecurityPlatform

/// The number of connections that the limit of open files allows.
///
/// Without a free file descriptor a process cannot open its database, and libdispatch aborts. So some
/// descriptors are reserved.
package enum OpenFiles {
  /// Descriptors for the database, key files, event loops and connections to login providers.
  private static let reserve = 128

  /// Raises the process's soft limit for `connections`, up to the hard limit.
  ///
  /// - Returns: the number of connections with a descriptor, at most `connections`.
  /// - Throws: `TooFew` where no descriptor is left.
  package static func capacity(for connections: Int) throws(TooFew) -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return connections }
    let wanted = rlim_t(connections + reserve)
    if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = min(wanted, limit.rlim_max)
      if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
    }
    guard limit.rlim_cur < wanted else { return connections }
    // Fits into an Int because `wanted` does.
    let capacity = Int(limit.rlim_cur) - reserve
    guard capacity > 0 else { throw TooFew(limit: Int(limit.rlim_cur)) }
    return capacity
  }

  /// The system allows too few open files.
  package struct TooFew: Error, CustomStringConvertible {
    let limit: Int

    package var description: String {
      "the system allows this process \(limit) open files; more than \(reserve) are needed (ulimit -n)"
    }
  }
}
