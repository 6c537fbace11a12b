internal import CognitoIdentityClient
internal import OpenIDConnect
internal import SigV4
internal import TokenSecurityBase

/// A header field of answers that says something of a request's session.
struct SessionField: Sendable, Hashable {
  let name: String
  let value: Value

  /// The value of a field.
  enum Value: Sendable, Hashable {
    case member(Member)
    /// The value of a tag.
    case tag(String)
  }

  enum Member: ExactString, Sendable, Hashable, CaseIterable {
    case identity = "identity_id"
    case pool = "pool_id"
    case arn = "arn"
    case role = "role_arn"
    case sessionName = "session_name"
    case sourceIdentity = "source_identity"
    case methods = "methods"
    case expiration = "expiration"
    case accessKey = "access_key_id"
    case action = "action"
    case resource = "resource"
    /// The SHA-256 of the body that the signature covers, in hexadecimal digits, or `UNSIGNED-PAYLOAD`.
    case body = "body_sha256"
  }

  /// Reads `headers`: names of fields with the name of a member, or `["tags", NAME]`.
  static func fields(_ object: inout DocumentObject) throws(PolicyDocumentError) -> [SessionField] {
    var fields: [SessionField] = []
    for member in try object.headerFields() {
      let path = member.value.strings ?? []
      if let text = member.value.string, let known = Member(name: text) {
        fields.append(SessionField(name: member.name, value: .member(known)))
      } else if path.count == 2, path[0].isIdentical(to: "tags"), !path[1].isEmpty {
        fields.append(SessionField(name: member.name, value: .tag(path[1])))
      } else {
        let known = Member.allCases.map(\.name).quotedList(upTo: 300)
        throw object.refused(
          "headers", "\(member.name.quoted) must be one of \(known), or [\"tags\", \"NAME\"]")
      }
    }
    return fields
  }

  /// The field's value: empty where the session does not have it, so that the field replaces what a client sent; nil for one of
  /// more than 4,096 bytes.
  func value(_ request: SessionAccess) -> String? {
    let text = ClaimHeader.encoded(text(request), alsoCommas: true)
    return text.utf8.count <= ClaimHeader.limit ? text : nil
  }

  private func text(_ request: SessionAccess) -> String {
    let session = request.session
    switch value {
    case .tag(let name): return session.tags[ExactString(name)] ?? ""
    case .member(.identity): return session.identityID ?? ""
    case .member(.pool): return session.poolID ?? ""
    case .member(.arn): return session.arn
    case .member(.role): return session.roleARN ?? ""
    case .member(.sessionName): return session.sessionName ?? ""
    case .member(.sourceIdentity): return session.sourceIdentity ?? ""
    case .member(.methods): return session.methods.joined(separator: " ")
    case .member(.expiration): return "\(session.expiration.seconds)"
    case .member(.accessKey): return request.accessKeyID
    case .member(.action): return request.access.action
    case .member(.resource): return request.access.resource
    case .member(.body): return request.body
    }
  }
}

/// A request that a session may make.
struct SessionAccess {
  let session: SessionIdentity
  let accessKeyID: String
  /// The first of its actions.
  let access: RequestedAccess
  /// The SHA-256 of the body, or a mode.
  let body: String
}
