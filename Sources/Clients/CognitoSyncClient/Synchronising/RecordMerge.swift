package import TokenLifetime
internal import TokenSecurityBase

/// The effect on this device's record when the service's record is known.
package enum RecordMerge: Sendable, Hashable {
  /// The record stays as it is: its change is based on the service's.
  case keep
  /// The service's record is stored.
  case take
  /// The values are equal, and this device's change is the later one. It is sent, so that other devices learn its time.
  case resend
  /// Both were changed to different values.
  case conflict

  /// Compares two records of one key.
  ///
  /// - Parameters:
  ///   - local: the record on this device; nil for none.
  ///   - remote: the service's.
  package init(local: DatasetRecord?, remote: DatasetRecord) {
    guard let local, local.isModified else {
      self = local?.syncCount == remote.syncCount ? .keep : .take
      return
    }
    // The count must be the service's also where the values are equal: a change that is based on an older one is refused
    // for ever.
    if local.value == remote.value {
      self = local.deviceLastModified > remote.deviceLastModified ? .resend : .take
    } else {
      self = local.syncCount == remote.syncCount ? .keep : .conflict
    }
  }
}

extension DatasetRecord {
  /// This change on the base of the service's record.
  package func rebased(on remote: DatasetRecord) -> DatasetRecord {
    var record = remote
    record.value = value
    record.deviceLastModified = deviceLastModified
    record.isModified = true
    return record
  }
}

extension RecordConflict {
  /// The record that a decision makes; nil where the synchronisation ends.
  package func resolved(_ resolution: ConflictResolution, at now: Timestamp) -> DatasetRecord? {
    var record = remote
    // A decision is not earlier than the changes about which it decides: those of other devices between the two would win.
    let later = max(local.deviceLastModified, remote.deviceLastModified)
    switch resolution {
    case .remote: break
    case .local:
      record = local.rebased(on: remote)
      record.deviceLastModified = later
    case .value(let value):
      // Sent even where the service has this value, so that other devices learn the time of the decision.
      record.value = value
      record.deviceLastModified = max(now, later)
      record.isModified = true
    case .stop: return nil
    }
    return record
  }
}
