internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// The number of connections that the limit of open files allows.
///
/// Without a free file descriptor a process cannot open its database, and libdispatch aborts. So some
/// descriptors are reserved.
enum OpenFiles {
  /// Descriptors for the database, key files, event loops and connections to login providers.
  static let reserve = 128

  /// Raises the process's soft limit for `connections`, up to the hard limit.
  ///
  /// - Returns: the number of connections with a descriptor, at most `connections`.
  /// - Throws: `OperatingError` where no descriptor is left.
  static func capacity(for connections: Int) throws -> Int {
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
    guard capacity > 0 else {
      throw OperatingError(
        "the system allows this process \(limit.rlim_cur) open files; more than \(reserve) are needed (ulimit -n)"
      )
    }
    return capacity
  }
}
