package import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Messages that wait to be sent. They are sealed, since they have codes.
extension WriteTransaction<UserPoolError> {
  /// Puts a message into the outbox.
  ///
  /// - Parameters:
  ///   - text: the message's text, of ``UserMessages/text(_:by:to:lifetime:isSimulated:)``.
  ///   - code: the code, or the temporary password.
  ///   - destination: the address.
  ///   - user: the user.
  ///   - purpose: what the code is for. A message with the earlier code of this purpose that waits is withdrawn, so
  ///     that the last message has the valid code. Nil for a message that replaces none.
  ///   - isSimulated: true for a message to a user who does not exist, which is not sent. Default: false.
  ///   - secrets: the service's keys.
  /// - Returns: the message's id.
  /// - Throws: `attemptLimitExceeded` for the 21st message within an hour to an address that is not this
  ///   user's verified one.
  @discardableResult
  package func enqueue(
    _ text: MessageText, code: String, to destination: Destination, of user: User,
    for purpose: CodePurpose? = nil, isSimulated: Bool = false, secrets: UserPoolSecrets
  ) throws(UserPoolError) -> String {
    let address = destination.address
    let isVerified =
      user.isVerified(destination.attribute) && user.attribute(destination.attribute.name) == address
    if !isVerified {
      // Mail systems deliver all spellings to one mailbox.
      let key = try secrets.digest(user.poolID, "address", address.lowercasedASCII, for: .attempt)
      try countAttempt(.message, pool: user.poolID, key: key)
    }
    let filled = text.template.filled(code: code, userName: text.shownName ?? address)
    var row = OutboxRow()
    row.poolID = user.poolID
    row.id = try UUIDText.new()
    row.medium = destination.medium.name
    row.created = now.wholeSecond
    row.due = row.created
    row.end = row.created + text.lifetime
    row.isSimulated = isSimulated
    let message = OutgoingMessage(
      id: row.id, poolID: user.poolID, clientID: text.clientID, userName: text.userName, kind: text.kind,
      medium: destination.medium, destination: address, subject: filled.subject, body: filled.body,
      code: code,
      expires: row.end)
    var json = JSONWriter.write(message.json)
    row.sealed = try secrets.seal(SecretBytes(wiping: &json), for: .message, name: row.sealName)
    if let purpose, try isEarlierMessageBeingSent(replacedBy: row, purpose, of: user) {
      row.due = row.due + OutboxRow.pauseAfterEarlier
    }
    try put(row, in: UserPoolTables.outbox)
    text.signal.ring(destination.medium)
    return row.id
  }

  /// Withdraws the message with the earlier code of a purpose, and notes the one that replaces it.
  ///
  /// - Returns: true where a node may be sending the earlier message now.
  private func isEarlierMessageBeingSent(
    replacedBy message: OutboxRow, _ purpose: CodePurpose, of user: User
  ) throws(UserPoolError) -> Bool {
    var code = try get(UserPoolTables.codes, RecordKey(user.poolID, user.sub, purpose.name)) ?? StoredCode()
    var isBeingSent = false
    if let earlier = code.message,
      let row = try get(UserPoolTables.outbox, RecordKey(user.poolID, earlier))
    {
      isBeingSent = row.attempts > 0
      try delete(RecordKey(user.poolID, earlier), from: UserPoolTables.outbox)
    }
    if code.poolID.isEmpty {
      (code.poolID, code.sub, code.purpose, code.end) = (user.poolID, user.sub, purpose.name, message.end)
    }
    code.message = message.id
    try put(code, in: UserPoolTables.codes)
    return isBeingSent
  }

  /// Leases messages of a medium that are due: other nodes leave them alone for a time.
  ///
  /// - Parameters:
  ///   - medium: the medium.
  ///   - limit: the most messages.
  ///   - time: how long.
  ///   - running: the messages that this process is sending. The clock may have ended their leases. Default: none.
  /// - Returns: the rows.
  /// - Throws: `storeFailed`.
  package func leaseMessages(
    _ medium: DeliveryMedium, limit: Int, for time: Duration, except running: Set<RecordKey> = []
  ) throws(UserPoolError) -> [OutboxRow] {
    var leased: [OutboxRow] = []
    for var row in try dueMessages(medium, limit: limit, except: running) {
      row.attempts = row.attempts.saturatingSum(1)
      row.due = now.wholeSecond + time
      try put(row, in: UserPoolTables.outbox)
      leased.append(row)
    }
    return leased
  }

  /// Removes a message that was sent, or that cannot be sent, unless another node has leased it meanwhile.
  package func removeMessage(_ row: OutboxRow) throws(UserPoolError) {
    let key = row.rowKey
    guard let current = try get(UserPoolTables.outbox, key), current.attempts == row.attempts else { return }
    try delete(key, from: UserPoolTables.outbox)
  }

  /// Lets a message be tried again, unless another node has leased it meanwhile.
  package func retryMessage(_ row: OutboxRow, at time: Timestamp) throws(UserPoolError) {
    let key = row.rowKey
    guard var current = try get(UserPoolTables.outbox, key), current.attempts == row.attempts else { return }
    current.due = time.wholeSecond
    try put(current, in: UserPoolTables.outbox)
  }
}

extension ReadTransaction<UserPoolError> {
  /// The messages of a medium that are due, that can be read, and that this process is not sending.
  func dueMessages(
    _ medium: DeliveryMedium, limit: Int, except running: Set<RecordKey>
  ) throws(UserPoolError) -> ArraySlice<OutboxRow> {
    let all = KeyRange.prefix(RecordKey(medium.name))
    var rows: [OutboxRow] = []
    for range in all.due(at: now, { RecordKey(medium.name, $0) }) where rows.count < limit {
      rows += try scan(
        UserPoolTables.outbox, by: UserPoolTables.outboxByDue, range, limit: limit + running.count
      ).filter { !running.contains($0.rowKey) }
    }
    return rows.prefix(limit)
  }
}

extension OutboxRow {
  /// The row's key.
  var rowKey: RecordKey { RecordKey(poolID, id) }

  /// The name that the seal authenticates. A message to nobody has a name of its own: a node of a version that does
  /// not know such messages cannot open it, and so sends none.
  var sealName: String { "\(poolID)/\(id)/\(medium)" + (isSimulated ? "/simulated" : "") }

  /// The message; nil where it does not open, for instance after the master key was replaced.
  package func message(_ secrets: UserPoolSecrets) throws(UserPoolError) -> OutgoingMessage? {
    guard let opened = try secrets.open(sealed.span, for: .message, name: sealName) else { return nil }
    return opened.withBytes { bytes in
      (try? JSONValue(parsing: [UInt8](unwipedCopy: bytes)))?.object.flatMap { OutgoingMessage($0) }
    }
  }

  /// How long a message waits for an earlier one to the same user that may be under way.
  static let pauseAfterEarlier = Duration.seconds(2)

  /// The pause before the next try: two seconds after the first one, doubled by each, at most five minutes.
  var pause: Duration { .seconds(min(1 << min(max(1, attempts), 16), 300)) }
}
