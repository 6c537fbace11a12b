/// An event that threads wait for. It happens once.
@safe
package final class ThreadEvent: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// Protected by the mutex.
  private var hasHappened = false

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      unsafe pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Wakes all threads that wait, now and later.
  package func happen() {
    unsafe pthread_mutex_lock(mutex)
    hasHappened = true
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Blocks the calling thread until the event has happened, or a time is over.
  ///
  /// - Parameter milliseconds: the maximum wait.
  /// - Returns: true if the event has happened.
  package func wait(milliseconds: Int64) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    // Bounded, so that the sum cannot overflow. The caller's limits are far below.
    let end = SystemClock.uptimeMilliseconds + min(max(milliseconds, 0), 1 << 40)
    while !hasHappened {
      let left = end - SystemClock.uptimeMilliseconds
      guard left > 0 else { return false }
      #if canImport(Darwin)
        var time = timespec(tv_sec: Int(left / 1_000), tv_nsec: Int(left % 1_000) * 1_000_000)
        unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
      #else
        var time = timespec()
        time.tv_sec = time_t(end / 1_000)
        time.tv_nsec = Int(end % 1_000) * 1_000_000
        unsafe pthread_cond_timedwait(condition, mutex, &time)
      #endif
    }
    return true
  }
}
