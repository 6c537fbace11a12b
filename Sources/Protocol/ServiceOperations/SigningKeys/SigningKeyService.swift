internal import TokenSecurityBase

/// Signing keys for APIs that verify requests with temporary credentials. No service of AWS has it.
public let signingKeyService = ServiceDeclaration(
  "Signing keys of sessions", signingName: "signing-keys", .json(targetPrefix: "SigningKeyService"),
  [GetScopedSigningKey.self])

/// Returns the key that verifies the requests of a session to one API.
public enum GetScopedSigningKey: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetScopedSigningKey", .developerOrIdentity(.issuing, .signingKey),
    "Returns the key that verifies a session's requests to one API, and what the session may do.",
    errors: [
      ErrorDeclaration("AccessDeniedException"), ErrorDeclaration("InvalidSessionException"),
      ErrorDeclaration("TooManyRequestsException"), ErrorDeclaration("InternalErrorException", status: 500),
    ], refusesUnknownMembers: true)

  /// The request.
  public struct Input: Structure {
    /// The access key id in the signature: `ASIA` and 16 letters and digits.
    public var accessKeyID = ""
    /// The session token of the request: 100 to 8,192 bytes.
    public var sessionToken = ""
    /// The region in the signature's scope; for SigV4A the region of the API.
    public var region = ""
    /// The service's name in the signature's scope.
    public var service = ""
    /// The day in the signature's scope, `20261130`. Required for SigV4.
    public var day: String?
    /// True for a signature in a URL, which can be valid for seven days. Nil: false.
    public var isPresigned: Bool?
    /// The algorithm of the signature. Nil: SigV4.
    public var algorithm: SignatureAlgorithm?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessKeyId", &accessKeyID, .sessionKeyID)
      m.required("SessionToken", &sessionToken, .sessionToken)
      m.required("Region", &region, .scopePart)
      m.required("Service", &service, .scopePart)
      m.optional("Day", &day, TextBounds(8...8, #"[0-9]+"#))
      m.optional("Presigned", &isPresigned)
      m.optional("Algorithm", &algorithm)
    }
  }

  /// The algorithms of signatures.
  public enum SignatureAlgorithm: ExactString, MemberChoice {
    /// SigV4.
    case hmac = "AWS4-HMAC-SHA256"
    /// SigV4A.
    case ecdsa = "AWS4-ECDSA-P256-SHA256"
  }

  /// The response.
  public struct Output: Structure {
    /// The signing key of SigV4, 32 bytes in base64.
    public var signingKey: SecretText?
    /// The public key of SigV4A.
    public var publicKey: SessionPublicKey?
    /// When the session ends.
    public var expiration = Timestamp.earliest
    /// The seconds for which the response may be kept: afterwards the session may have been revoked.
    public var maximumAge: Int64 = 0
    /// The session.
    public var session = VerifiedSession()
    /// The condition keys of the session's requests, with their values, but for those of time and address.
    public var conditionKeys: [ExactString: [String]] = [:]
    /// The policies that say what the session may do. Without one it may do nothing.
    public var policies: [SessionPolicyDocument] = []
    /// The policies that limit this: one of them must allow a request, too, and none may deny it. Empty: no limit.
    public var sessionPolicies: [SessionPolicyDocument] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("SigningKey", &signingKey, .any.sensitive)
      m.optional("PublicKey", &publicKey)
      m.required("Expiration", &expiration)
      m.required("MaximumAge", &maximumAge, .integer(0...))
      m.required("Session", &session)
      m.required("ConditionKeys", &conditionKeys, MapBounds(keys: .any, values: ListBounds(of: .any)))
      m.required("Policies", &policies, ListBounds())
      m.required("SessionPolicies", &sessionPolicies, ListBounds())
    }
  }
}

extension TextBounds {
  /// A region or a service in the scope of a signature.
  package static let scopePart = TextBounds(1...64, #"[A-Za-z0-9._:-]+"#)

  /// The access key id of temporary credentials.
  package static let sessionKeyID = keyID("ASIA")

  /// An access key id with a prefix of four letters.
  package static func keyID(_ prefix: String) -> TextBounds {
    TextBounds(
      20...20,
      TextPattern("\(prefix)[A-Z2-7]{16}", example: "\(prefix)AAAAAAAAAAAAAAAA") { text in
        text.count == 20 && ByteSearch.has(prefix, text, at: 0)
          && text.indices.allSatisfy { (0x41...0x5A).contains(text[$0]) || (0x32...0x37).contains(text[$0]) }
      })
  }

  /// A session token of the service: the format's prefix and base64url.
  package static let sessionToken = TextBounds(
    100...8_192,
    TextPattern(#"TS[12]\.[A-Za-z0-9_-]+"#, example: "TS1." + String(repeating: "A", count: 100)) { text in
      guard text.count > 4, ByteSearch.has("TS1.", text, at: 0) || ByteSearch.has("TS2.", text, at: 0) else {
        return false
      }
      return (4..<text.count).allSatisfy {
        switch text[$0] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
    }
  ).sensitive
}
