internal import TokenLifetime
internal import TokenSecurityBase

/// Result of storing the service's changes.
private enum MergeOutcome: Sendable {
  case stored(MergedRecords)
  /// Nothing was stored: the handler must decide first.
  case conflicts([RecordConflict])
  /// Nothing was stored: the data set is another one than before the pull.
  case changed
}

/// The records that were taken, and those that the service does not have yet.
struct MergedRecords: Sendable {
  var updated: [DatasetRecord] = []
  var modified: [DatasetRecord] = []
}

/// A decision about the record as it was then.
private struct Decision: Sendable {
  let local: DatasetRecord
  let resolution: ConflictResolution
}

// Taking the service's changes.
extension Synchronisation {
  /// Stores the changes of a pull, all or none, after the handler has decided about conflicts. Nil where the data set
  /// was changed otherwise in the meantime.
  func merge(
    _ pull: RecordPull, _ base: LocalDataset
  ) async throws(SyncClientError) -> MergedRecords? {
    var decisions: [ExactString: Decision] = [:]
    for _ in 0..<Self.tries {
      switch try await store(pull, base, decisions) {
      case .stored(let merged): return merged
      case .changed: return nil
      case .conflicts(let conflicts):
        for conflict in conflicts {
          let resolution = await handler.onConflict(conflict, in: id.name)
          if case .stop = resolution { throw .stopped(.conflict) }
          if case .value(let value?) = resolution { try SyncBounds.check(value: value) }
          decisions[ExactString(conflict.key)] = Decision(local: conflict.local, resolution: resolution)
        }
      }
    }
    return nil
  }

  private func store(
    _ pull: RecordPull, _ base: LocalDataset, _ decisions: [ExactString: Decision]
  ) async throws(SyncClientError) -> MergeOutcome {
    let (local, now) = (id.local, context.clock())
    return try await context.write(since: removals) { (rows) throws(SyncClientError) -> MergeOutcome in
      let known = try rows.dataset(local)
      guard (known ?? base).lastSyncCount == base.lastSyncCount, known?.isDeletionPending != true,
        known != nil || base.lastSyncCount == 0
      else { return .changed }
      var (changes, conflicts): ([DatasetRecord], [RecordConflict]) = ([], [])
      for remote in pull.records {
        let mine = try rows.record(remote.key, of: local)
        switch RecordMerge(local: mine, remote: remote) {
        case .keep: break
        case .take: changes.append(remote)
        case .resend: if let mine { changes.append(mine.rebased(on: remote)) }
        case .conflict:
          guard let mine else { continue }
          let conflict = RecordConflict(local: mine, remote: remote)
          // A decision is about the record that was shown. What was changed since is asked about again.
          if let decision = decisions[ExactString(remote.key)], decision.local == mine,
            let record = conflict.resolved(decision.resolution, at: now)
          {
            changes.append(record)
          } else {
            conflicts.append(conflict)
          }
        }
      }
      guard conflicts.isEmpty else { return .conflicts(conflicts) }
      for record in changes { try rows.put(record, in: local) }
      if pull.since == 0 { try forgetUnknown(pull, rows) }
      if pull.exists || known != nil {
        var dataset = known ?? base
        if dataset.lastSyncCount != pull.syncCount || !changes.isEmpty { dataset.lastModified = now }
        dataset.lastSyncCount = pull.syncCount
        try rows.put(dataset)
      }
      return .stored(
        MergedRecords(
          updated: changes.filter { !$0.isModified },
          modified: try rows.records(of: local).filter { $0.isModified }))
    }
  }

  /// Removes records that the service does not have: a pull from the beginning has all. A change of one of them makes a
  /// new record.
  private func forgetUnknown(_ pull: RecordPull, _ rows: any DatasetWriting) throws(SyncClientError) {
    for var record in try rows.records(of: id.local) where !pull.has(record.key) {
      guard record.isModified else {
        try rows.deleteRecord(record.key, of: id.local)
        continue
      }
      record.syncCount = 0
      try rows.put(record, in: id.local)
    }
  }
}
