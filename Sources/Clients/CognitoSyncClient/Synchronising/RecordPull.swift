internal import TokenSecurityBase

/// The changes of a data set after a count, from all pages.
struct RecordPull: Sendable {
  /// The count after which changes were asked for.
  let since: Int64
  /// The last change of each record.
  private(set) var records: [DatasetRecord] = []
  /// The count of the data set up to which the records are complete.
  private(set) var syncCount: Int64 = 0
  private(set) var exists = true
  private(set) var wasDeleted = false
  private(set) var mergedNames: [String] = []
  private(set) var sessionToken = ""
  private var indices: [ExactString: Int] = [:]
  private var pages = 0
  private var size = 0

  /// More than a full data set in pages of one record.
  private static let pageLimit = 4_096
  /// Maximum size in bytes of keys and values in all pages, many times those of a full data set. A record counts
  /// ``recordSize`` more.
  private static let sizeLimit = 32 << 20
  private static let recordSize = 256

  init(since: Int64) { self.since = since }

  /// Reads all pages. A count that the service does not know is one of a data set that is gone. Nil where the service
  /// refuses a further page: the data set was deleted after the page before, or the session has expired.
  static func read(
    _ calls: SyncCalls, _ id: RemoteID, after count: Int64
  ) async throws(SyncClientError) -> RecordPull? {
    var pull = RecordPull(since: count)
    var next: String?
    repeat {
      do throws(SyncClientError) {
        let session = pull.pages == 0 ? nil : pull.sessionToken
        let page = try await calls.records(of: id, after: count, next: next, session: session)
        try pull.add(page)
        next = page.nextToken
      } catch {
        guard error.isRefusal("InvalidParameterException") else { throw error }
        guard pull.pages == 0 else { return nil }
        guard count > 0, error.isRefusal("InvalidParameterException", message: "No such SyncCount") else {
          throw error
        }
        pull.wasDeleted = true
        return pull
      }
    } while next != nil
    return pull
  }

  private mutating func add(_ page: RecordPage) throws(SyncClientError) {
    // Records that were changed between two pages are above the first one's count, and come again.
    if pages == 0 {
      syncCount = page.syncCount
      mergedNames = page.mergedNames
    }
    pages += 1
    guard pages <= Self.pageLimit else { throw .responseMalformed(rule: "the list of records has no end") }
    exists = exists && page.exists
    wasDeleted = wasDeleted || page.wasDeleted
    sessionToken = page.sessionToken
    for record in page.records {
      size += record.size + Self.recordSize
      guard size <= Self.sizeLimit else {
        throw .responseMalformed(rule: "the records have more bytes than a data set can have")
      }
      if let index = indices[ExactString(record.key)] {
        if record.syncCount > records[index].syncCount { records[index] = record }
      } else {
        indices[ExactString(record.key)] = records.count
        records.append(record)
      }
    }
  }

  /// True if the service has a record of this key above the count.
  func has(_ key: String) -> Bool { indices[ExactString(key)] != nil }
}
