public import TokenSecurityBase
internal import TokenSecurityCrypto

/// The functions that user pools call: AWS Lambda's in AWS, any code here.
///
///     struct OwnDomainOnly: UserPoolHooks {
///       func serves(_ functionARN: String) -> Bool { functionARN.hasSuffix(":own-domain") }
///
///       func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
///         let email = event.json.object["request"]?.object?["userAttributes"]?.object?["email"]?.string
///         guard email?.hasSuffix("@example.com") == true else {
///           throw .refused("only addresses of example.com")
///         }
///         return HookResponse(json: #"{"response": {"autoConfirmUser": false}}"#)
///       }
///     }
///
/// A pool names functions by ARN (`LambdaConfig`). A call waits at most five seconds for a function and tries
/// three times to reach it; at most 64 calls of one function run at a time.
public protocol UserPoolHooks: Sendable {
  /// Returns whether a function exists.
  ///
  /// - Parameter functionARN: the function's ARN in a pool's settings.
  /// - Returns: whether ``invoke(_:)`` can call it.
  func serves(_ functionARN: String) -> Bool

  /// Calls a function.
  ///
  /// It must return soon after its task is cancelled, which happens after five seconds.
  ///
  /// - Parameter event: the function's event.
  /// - Returns: what the function returned.
  /// - Throws: `refused` where the function failed; `unreachable` or `timeout` where it could not be called,
  ///   which is tried again.
  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse
}

/// The event that a function is called with.
public struct HookEvent: Sendable {
  /// The function's ARN.
  public let functionARN: String
  /// The trigger.
  public let trigger: HookTrigger
  /// The source of the event, such as `PreSignUp_AdminCreateUser`.
  public let source: String
  /// The event as Lambda's JSON. It has a password where `trigger` is `userMigration`.
  public let json: SecretJSON
}

/// JSON with secrets. It is wiped when the last reference to it is released.
public final class SecretJSON: Sendable {
  private let bytes: SecretBytes

  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

  /// Calls a closure with the JSON's UTF-8. Copies that it makes are not wiped.
  ///
  /// - Parameter body: reads the bytes.
  /// - Returns: the result of `body`.
  /// - Throws: the errors of `body`.
  public func withBytes<R: ~Copyable, E: Error>(
    _ body: (borrowing Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try bytes.withBytes(body)
  }

  /// The JSON's members, as copies that are not wiped.
  public var object: JSONObject {
    bytes.withBytes { (try? JSONValue(parsing: [UInt8](unwipedCopy: $0)))?.object } ?? JSONObject()
  }
}

/// The response of a function: the event with its member `response` filled in.
public struct HookResponse: Sendable {
  /// The JSON's UTF-8, at most ``sizeLimit``.
  public var json: [UInt8]

  /// Maximum size of a response in bytes: 1 MiB.
  public static let sizeLimit = 1 << 20

  /// A response.
  ///
  /// - Parameter json: the UTF-8 of the JSON.
  public init(json: [UInt8]) { self.json = json }

  /// A response.
  ///
  /// - Parameter json: the JSON.
  public init(json: String) { self.json = Array(json.utf8) }
}

/// Why a function gave no response.
@nonexhaustive public enum HookError: CodedError, Hashable {
  /// The function failed. The text is for the caller of the operation.
  case refused(String)
  /// The function could not be called.
  case unreachable(String)
  /// The function did not respond in time.
  case timeout
  /// The response is not one of a function.
  case responseInvalid(rule: String)

  /// The stable codes. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case refused = "function_refused"
    case unreachable = "function_unreachable"
    case timeout = "function_timeout"
    case responseInvalid = "function_response_invalid"
  }

  /// The code and the sentence of the error.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .refused(let text): (.refused, "the function failed: \(text.visible(upTo: 200))")
    case .unreachable(let reason):
      (.unreachable, "the function cannot be called: \(reason.visible(upTo: 200))")
    case .timeout: (.timeout, "the function did not respond in time")
    case .responseInvalid(let rule):
      (.responseInvalid, "the function's response is invalid: \(rule.visible(upTo: 200))")
    }
  }
}
