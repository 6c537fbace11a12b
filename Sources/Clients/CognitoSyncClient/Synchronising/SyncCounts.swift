/// Meaning of the counts of a data set and of its records.
package enum SyncCounts {
  /// Whether others deleted the data set that this device has.
  ///
  /// - Parameters:
  ///   - lastSyncCount: the count up to which this device has all changes; 0 where it never took the whole data set.
  ///   - hasRecords: whether this device has records of the service.
  ///   - exists: whether the service has a data set of its name.
  ///   - wasDeleted: whether the service deleted one after that count.
  /// - Returns: true if they did.
  package static func isDeleted(
    lastSyncCount: Int64, hasRecords: Bool, exists: Bool, wasDeleted: Bool
  ) -> Bool {
    guard exists else { return lastSyncCount > 0 || hasRecords }
    return lastSyncCount > 0 && wasDeleted
  }

  /// The count up to which this device has all changes after it sent some.
  ///
  /// - Parameters:
  ///   - base: the count of the last pull.
  ///   - accepted: the counts that the sent records got.
  /// - Returns: the count; nil where others made changes between pull and push, which must be taken first.
  package static func afterPush(base: Int64, accepted: [Int64]) -> Int64? {
    guard let count = accepted.first, count > 0, count - 1 == base, accepted.allSatisfy({ $0 == count })
    else {
      return nil
    }
    return count
  }
}
