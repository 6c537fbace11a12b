internal import AccessPolicies
internal import ServiceOperations
internal import TokenSecurityBase

/// The parts of an answer that its requests need, in few bytes: only the texts that the first session of the same kind does not have.
struct SessionContent: Sendable {
  private let bytes: [UInt8]
  private let first: FirstContent

  /// The content of an answer. Those are of a kind whose role, pool and names of condition keys are the same.
  init(_ output: GetScopedSigningKey.Output, sharing parts: SharedParts) {
    let session = output.session
    let names = output.conditionKeys.keys.sorted().map(\.text)
    first = parts.contents.value(of: [session.roleARN ?? "", session.poolID ?? ""] + names) {
      var texts = PackedTexts()
      texts.append(output)
      return FirstContent(bytes: texts.bytes)
    }
    var texts = PackedTexts(after: first.bytes)
    texts.append(output)
    bytes = Array(texts.bytes.dropFirst(first.bytes.count))
  }

  /// The number of bytes of this session alone.
  var size: Int { bytes.count }

  /// The session and its condition keys; nil for bytes that this type has not written.
  func values() -> (session: VerifiedSession, context: AccessContext)? {
    var reader = PackedTextReader(first.bytes + bytes, from: first.bytes.count)
    return reader.values()
  }
}

/// The content of the first session of a kind, as long as a session needs it.
final class FirstContent: Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }
}

extension PackedTexts {
  fileprivate mutating func append(_ output: GetScopedSigningKey.Output) {
    let session = output.session
    append(session.arn)
    for text in [
      session.roleARN, session.sessionName, session.identityID, session.poolID, session.sourceIdentity,
    ] { append(text) }
    append(session.methods ?? [])
    let tags = (session.tags ?? [:]).sorted { $0.key < $1.key }
    append(tags.flatMap { [$0.key.text, $0.value] })
    append(output.conditionKeys.count)
    for (name, values) in output.conditionKeys.sorted(by: { $0.key < $1.key }) {
      append(name.text)
      append(values)
    }
  }
}

extension PackedTextReader {
  fileprivate mutating func values() -> (session: VerifiedSession, context: AccessContext)? {
    var session = VerifiedSession()
    guard let arn = text(), let role = optionalText(), let name = optionalText(),
      let identity = optionalText(), let pool = optionalText(), let source = optionalText(),
      let methods = list(), let tags = list(), tags.count.isMultiple(of: 2), let count = number()
    else { return nil }
    session.arn = arn
    session.roleARN = role
    session.sessionName = name
    session.identityID = identity
    session.poolID = pool
    session.sourceIdentity = source
    session.methods = methods
    var byName: [ExactString: String] = [:]
    for index in stride(from: 0, to: tags.count, by: 2) { byName[ExactString(tags[index])] = tags[index + 1] }
    session.tags = byName
    // Each request adds some of its own to a copy.
    var context = AccessContext(minimumCapacity: min(count, 64) + 8)
    for _ in 0..<count {
      guard let name = text(), let values = list() else { return nil }
      context[name] = values
    }
    return isAtEnd ? (session, context) : nil
  }
}
