internal import Records
internal import TokenSecurityBase

/// The rows that a list of users reads: a range of keys or of an index, in which a filter selects.
struct UserScan: Sendable {
  private enum Source: Sendable {
    case keys
    case subs
    case attribute(ExactString)
  }

  private let source: Source
  private let range: KeyRange
  private let filter: UserFilter?
  private let naming: UserNaming
  /// The rows that are read at once: more than a page where few of them may match.
  private let portion: Int

  /// Maximum number of rows that one page reads.
  static let mostRows = 2_000

  init(_ filter: UserFilter?, of pool: UserPool, limit: Int) {
    naming = UserNaming(pool)
    self.filter = filter
    let all = RecordKey(pool.id)
    var portion = limit + 1
    switch filter?.field {
    case nil: (source, range) = (.keys, .prefix(all))
    case .userName?:
      source = .keys
      range = Self.range(all, naming.canonical(filter?.value ?? ""), isPrefix: filter?.isPrefix == true)
    case .sub?:
      source = .subs
      range = Self.range(all, filter?.value ?? "", isPrefix: filter?.isPrefix == true)
    case .enabled?, .status?:
      (source, range) = (.keys, .prefix(all))
      portion = 500
    case .attribute(let name)?:
      source = .attribute(name)
      let value = filter?.value ?? ""
      let searched = UserPoolTables.searched(value)
      // Of a longer value the index has the beginning alone.
      let isWhole = searched.utf8.count == value.utf8.count
      range = Self.range(
        RecordKey(pool.id, name.text), searched, isPrefix: filter?.isPrefix == true && isWhole)
    }
    self.portion = portion
  }

  /// The keys that begin with `first` and then have a text, or a text with this beginning.
  private static func range(_ first: RecordKey, _ text: String, isPrefix: Bool) -> KeyRange {
    let key = first.appending(text)
    guard isPrefix else { return .only(key) }
    return KeyRange.prefix(first).from(key).before(following(text).map { first.appending($0) })
  }

  /// The first text after all that begin with `text`; nil if none exists.
  private static func following(_ text: String) -> String? {
    var scalars = text.unicodeScalars
    while let last = scalars.popLast() {
      // The code points between are surrogates.
      if let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) {
        scalars.append(next)
        return String(scalars)
      }
    }
    return nil
  }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - rows: the transaction.
  ///   - position: the position of the last page's last row; nil for the first page.
  ///   - limit: the most users.
  /// - Returns: the users, and the position after which the next page begins; nil on the last page. A page may
  ///   have fewer users than its limit, or none, and be followed by others.
  /// - Throws: `storeFailed`.
  func page(
    _ rows: ReadTransaction<UserPoolError>, after position: IndexPosition?, limit: Int
  ) throws(UserPoolError) -> (users: [User], next: IndexPosition?) {
    var users: [User] = []
    var last = position
    var rest = Self.mostRows
    while rest > 0 {
      let wanted = min(portion, rest)
      let found = try scan(rows, after: last, limit: wanted)
      for user in found {
        guard users.count < limit else { return (users, last) }
        last = self.position(of: user)
        if filter?.matches(user, naming) ?? true { users.append(user) }
      }
      guard found.count == wanted else { return (users, nil) }
      rest -= wanted
    }
    return (users, last)
  }

  /// A row's value in the index, and its key. For keys the value is the key.
  private func position(of user: User) -> IndexPosition {
    let key = UserPoolTables.userKey(user.poolID, user.canonicalName)
    let value =
      switch source {
      case .keys: key
      case .subs: RecordKey(user.poolID, user.sub)
      case .attribute(let name):
        RecordKey(user.poolID, name.text, UserPoolTables.searched(user.attribute(name.text) ?? ""))
      }
    return IndexPosition(value: value, key: key)
  }

  private func scan(
    _ rows: ReadTransaction<UserPoolError>, after last: IndexPosition?, limit: Int
  ) throws(UserPoolError) -> [User] {
    let users = UserPoolTables.users
    return switch source {
    case .keys: try rows.scan(users, range.after(last?.key), limit: limit)
    case .subs: try rows.scan(users, by: UserPoolTables.userBySub, range, after: last, limit: limit)
    case .attribute:
      try rows.scan(users, by: UserPoolTables.userByAttribute, range, after: last, limit: limit)
    }
  }
}

extension IndexPosition {
  /// The position in a pagination token.
  var text: String { Base64URL.string(RecordKey(value.encoded, key.encoded).encoded) }

  /// Reads a position; nil for another text.
  init?(text: String) {
    guard let encoded = try? Base64URL.decode(text), let parts = RecordKey(encoded: encoded)?.parts,
      parts.count == 2, case .bytes(let first) = parts[0], case .bytes(let second) = parts[1],
      let value = RecordKey(encoded: first), let key = RecordKey(encoded: second)
    else { return nil }
    self.init(value: value, key: key)
  }
}
