/// Who may call an operation.
public enum OperationAccess: Sendable, Hashable {
  /// Anyone, unsigned: what the members hold authenticates the caller.
  case anyone
  /// The owner of an access token in this member, unsigned.
  case accessToken(member: ExactString)
  /// The owner of an access token in one member, or of a session in another one, unsigned. A request has one
  /// of both, which the operation checks.
  case accessTokenOrSession(token: ExactString, session: ExactString)
  /// A signature.
  case signed(OperationSignature)

  /// A developer's signature.
  ///
  /// - Parameters:
  ///   - capability: what the access key must allow.
  ///   - target: where the request names what it concerns.
  /// - Returns: who may call.
  public static func developer(_ capability: Capability, _ target: Target) -> OperationAccess {
    .signed(OperationSignature(developer: capability, identity: false, target: target))
  }

  /// The signature of an identity's temporary credentials.
  ///
  /// - Parameter target: where the request names the identity.
  /// - Returns: who may call.
  public static func identity(_ target: Target) -> OperationAccess {
    .signed(OperationSignature(developer: nil, identity: true, target: target))
  }

  /// A developer's signature, or that of an identity's temporary credentials.
  ///
  /// - Parameters:
  ///   - capability: what a developer's access key must allow.
  ///   - target: where the request names what it concerns.
  /// - Returns: who may call.
  public static func developerOrIdentity(_ capability: Capability, _ target: Target) -> OperationAccess {
    .signed(OperationSignature(developer: capability, identity: true, target: target))
  }

  /// The capabilities of an access key.
  public enum Capability: ExactString, Sendable, Hashable, CaseIterable {
    /// Calls that change nothing.
    case reading = "read"
    /// Calls that issue tokens.
    case issuing = "issue"
    /// Calls that change anything else.
    case administering = "administer"
  }

  /// Where a request names what it concerns.
  public enum Target: Sendable, Hashable {
    /// The member has a pool's id.
    case pool(ExactString)
    /// The member has an identity's id.
    case identity(ExactString)
    /// The member has ids of identities.
    case identities(ExactString)
    /// The member has an ARN.
    case resource(ExactString)
    /// The member has the ARN of a role, whose trust policy decides.
    case role(ExactString)
    /// Nothing of its own, or everything.
    case all
    /// A new session with the caller's rights.
    case session
    /// The signing key of a session, for an API that a policy of the caller names.
    case signingKey
    /// The caller alone, whatever the access key allows. Such a call changes nothing, and may be presigned.
    case caller

    /// The member's name; nil for none.
    public var member: ExactString? {
      switch self {
      case .pool(let name), .identity(let name), .identities(let name), .resource(let name), .role(let name):
        name
      case .all, .caller, .session, .signingKey: nil
      }
    }
  }
}

/// The signatures with which an operation may be called.
public struct OperationSignature: Sendable, Hashable {
  /// The capability that a developer's access key must have; nil where developers may not call.
  public let developer: OperationAccess.Capability?
  /// True where an identity's temporary credentials may call.
  public let identity: Bool
  /// Where the request names what it concerns.
  public let target: OperationAccess.Target

  /// True where the operation itself decides what the caller may do.
  package var hasOwnRules: Bool {
    switch target {
    case .caller, .session, .role, .signingKey: true
    case .pool, .identity, .identities, .resource, .all: false
    }
  }
}
