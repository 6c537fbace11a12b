internal import AccessPolicies
internal import CognitoIdentityClient
internal import TokenSecurityBase

// The sessions of verified requests, and what they may do.

/// The ARN of the session, or that of the user of the access key that began it.
///
/// - Parameter session: the session.
/// - Returns: a text that belongs to the session. NULL for NULL.
@c(ts_session_arn)
public func sessionARN(_ session: SessionHandle?) -> UnsafePointer<CChar>? {
  unsafe give(session) { $0.arn }
}

/// The role of the session.
///
/// - Parameter session: the session.
/// - Returns: a text that belongs to the session. NULL for a session of an access key, and for NULL.
@c(ts_session_role_arn)
public func sessionRoleARN(_ session: SessionHandle?) -> UnsafePointer<CChar>? {
  unsafe give(session) { $0.roleARN }
}

/// The name of the session.
///
/// - Parameter session: the session.
/// - Returns: a text that belongs to the session. NULL for a session of an access key, and for NULL.
@c(ts_session_name)
public func sessionName(_ session: SessionHandle?) -> UnsafePointer<CChar>? {
  unsafe give(session) { $0.name }
}

/// The identity of an identity pool.
///
/// - Parameter session: the session.
/// - Returns: a text that belongs to the session. NULL for a session without one, and for NULL.
@c(ts_session_identity_id)
public func sessionIdentityID(_ session: SessionHandle?) -> UnsafePointer<CChar>? {
  unsafe give(session) { $0.identityID }
}

/// The pool of the identity.
///
/// - Parameter session: the session.
/// - Returns: a text that belongs to the session. NULL for a session without one, and for NULL.
@c(ts_session_pool_id)
public func sessionPoolID(_ session: SessionHandle?) -> UnsafePointer<CChar>? {
  unsafe give(session) { $0.poolID }
}

/// Who acts, as the first caller of AssumeRole said.
///
/// - Parameter session: the session.
/// - Returns: a text that belongs to the session. NULL for a session without one, and for NULL.
@c(ts_session_source_identity)
public func sessionSourceIdentity(_ session: SessionHandle?) -> UnsafePointer<CChar>? {
  unsafe give(session) { $0.sourceIdentity }
}

/// A method by which the identity signed in.
///
/// - Parameters:
///   - session: the session.
///   - index: the index of the method, from 0 on.
/// - Returns: a text that belongs to the session. NULL beyond the last one, and for NULL.
@c(ts_session_method)
public func sessionMethod(_ session: SessionHandle?, _ index: UInt) -> UnsafePointer<CChar>? {
  unsafe give(session) { index < UInt($0.methods.count) ? $0.methods[Int(index)] : nil }
}

/// Reads a tag of the session.
///
/// - Parameters:
///   - session: the session.
///   - index: the index of the tag, from 0 on. Tags are ordered by the bytes of their names.
///   - name: receives the name; NULL if it is not wanted. It belongs to the session.
///   - value: receives the value; NULL if it is not wanted. It belongs to the session.
/// - Returns: 1 if there is such a tag, 0 beyond the last one.
@c(ts_session_tag)
public func sessionTag(
  _ session: SessionHandle?, _ index: UInt, _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ value: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  unsafe name?.pointee = nil
  unsafe value?.pointee = nil
  guard let object = try? unsafe Handle.object(session, "session", as: SessionObject.self),
    index < UInt(object.tags.count)
  else { return 0 }
  let tag = object.tags[Int(index)]
  unsafe name?.pointee = tag.name.text.start
  unsafe value?.pointee = tag.value.text.start
  return 1
}

/// When the session ends.
///
/// - Parameter session: the session.
/// - Returns: the seconds since 1970. 0 for NULL.
@c(ts_session_expiration)
public func sessionExpiration(_ session: SessionHandle?) -> Int64 {
  (try? unsafe Handle.object(session, "session", as: SessionObject.self).expiration) ?? 0
}

/// Checks by the policies of the session that it may do something.
///
/// - Parameters:
///   - session: the session of a request.
///   - action: the action, `SERVICE:NAME`.
///   - resource: the ARN of the resource; NULL for `*`, of an action without a resource.
///   - names: the names of condition keys of the request, such as a tag of the resource. A name can be there several times, with a
///     value each. Keys of the session, the time, the address and the region are there already, and come first. NULL for none.
///   - values: the value of each.
///   - count: their number, at most 1,024.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0 if it is allowed, or 1 for an error: `session_denied`, `session_policy_unreadable`.
@c(ts_session_check)
public func sessionCheck(
  _ session: SessionHandle?, _ action: UnsafePointer<CChar>?, _ resource: UnsafePointer<CChar>?,
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?,
  _ count: UInt, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(session, "session", as: SessionObject.self)
    try object.request.check(
      unsafe Arguments.text(action, "action"),
      on: unsafe Arguments.optionalText(resource, "resource") ?? "*",
      with: unsafe conditions(names, values, count))
  }
}

/// Explains what the policies of a session say of something, as JSON: `allowed`, `outcome`, `code`, `message`, `statement`, and
/// `statements` with why each applies or does not, and `text`, the same for people. For operators, not for those who sent the
/// request.
///
/// - Parameters:
///   - session: the session of a request.
///   - action: as for ts_session_check.
///   - resource: as for ts_session_check.
///   - names: as for ts_session_check.
///   - values: as for ts_session_check.
///   - count: as for ts_session_check.
///   - json: receives the explanation, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, also for what is denied; 1 for an error: `session_policy_unreadable`.
@c(ts_session_explain)
public func sessionExplain(
  _ session: SessionHandle?, _ action: UnsafePointer<CChar>?, _ resource: UnsafePointer<CChar>?,
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?,
  _ count: UInt, _ json: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(json, "json")
    let object = try unsafe Handle.object(session, "session", as: SessionObject.self)
    let explanation = try object.request.explain(
      unsafe Arguments.text(action, "action"),
      on: unsafe Arguments.optionalText(resource, "resource") ?? "*",
      with: unsafe conditions(names, values, count))
    var document = explanation.json
    document["text"] = .string("\(explanation)")
    unsafe output.pointee = Handle.make(BufferObject(JSONWriter.write(document)))
  }
}

/// Frees a session. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter session: the session, which the caller owns.
@c(ts_session_free)
public func sessionFree(_ session: SessionHandle?) { unsafe Handle.free(session, as: SessionObject.self) }

private func give(
  _ session: SessionHandle?, _ text: (SessionObject) -> LazyText?
) -> UnsafePointer<CChar>? {
  guard let object = try? unsafe Handle.object(session, "session", as: SessionObject.self),
    let text = text(object)
  else { return nil }
  return unsafe text.text.start
}

/// Condition keys of the caller, each with all its values.
private func conditions(
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?,
  _ count: UInt
) throws(CallError) -> [(key: String, value: [String])] {
  guard count > 0 else { return [] }
  guard count <= 1_024 else {
    throw .argumentOutOfRange("count", rule: "is \(count); at most 1024 are allowed")
  }
  guard let names = unsafe names else { throw .argumentMissing("names") }
  guard let values = unsafe values else { throw .argumentMissing("values") }
  // Names are the same in any case.
  var found = AccessContext()
  for index in 0..<Int(count) {
    let name = try unsafe Arguments.text(names[index], "names")
    found[name] = try (found[name] ?? []) + [unsafe Arguments.text(values[index], "values")]
  }
  return found.names.map { ($0, found[$0] ?? []) }
}
