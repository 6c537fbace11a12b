extension ReadTransaction {
  /// Counts the ended rows of those tables that strangers can fill, up to a million of each, at the first call and each ten
  /// minutes of this process: ``WriteTransaction/removeExpired(from:limit:)`` keeps those of a table with more for less.
  ///
  /// It takes seconds in a table with many rows, in which other transactions can write. Call it before each removal; a count
  /// is valid for twenty minutes.
  ///
  /// - Parameter tables: the tables.
  /// - Throws: the failure of the store.
  public func countEnded(in tables: [any DeclaredTable]) throws(Failure) {
    try attempt { () throws(RecordStoreError) in
      let (watch, now) = (runner.watch, microseconds)
      for table in tables where table.layout.isFilledByStrangers && table.layout.hasExpirations {
        let number = try runner.tables.number(of: table.layout)
        guard watch.isCountDue(number) else { continue }
        let most = watch.rule.crowd
        let count = try callEngine { engine throws(RecordStoreError) in
          try engine.countExpired(number, at: now, limit: most + 1)
        }
        watch.noteCrowd(count > most, in: number)
      }
    }
  }
}
