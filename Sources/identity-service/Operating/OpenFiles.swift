internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// How many connections the process may have open files for.
///
/// A process without a free file descriptor cannot open its database, and libdispatch ends it: so connections never get the
/// last ones.
enum OpenFiles {
  /// Descriptors for everything else: database, key files, event loops, connections to login providers.
  static let reserve = 128

  /// Raises the process's soft limit as far as `connections` need it and the hard limit allows it.
  ///
  /// - Returns: how many connections there are descriptors for, `connections` at the most.
  /// - Throws: `OperatingError` where there are none.
  static func room(for connections: Int) throws -> Int {
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
    // Less than `wanted`, which is an Int.
    let room = Int(limit.rlim_cur) - reserve
    guard room > 0 else {
      throw OperatingError(
        "the system allows this process \(limit.rlim_cur) open files; more than \(reserve) are needed (ulimit -n)"
      )
    }
    return room
  }
}
