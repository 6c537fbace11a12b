internal import Foundation
internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

@testable internal import CognitoUserPool

/// The one table of settings that are stored and change nothing, compared with the code and the guide.
@Suite struct IneffectiveSettingTests {
  private static let folder = VectorFile.root + "Sources/Services/CognitoUserPool"

  private static func text(_ path: String) throws -> String {
    String(decoding: try VectorFile.bytes(path), as: UTF8.self)
  }

  private static func property(of line: Substring) -> String? {
    line.wholeMatch(of: #/  (?:public )?package(?:\(set\))? var (\w+)(?: =|:)[^{]*/#).map { String($0.1) }
  }

  /// No file reads the properties in the table, but for those that copy requests to rows and rows to responses. Every other
  /// property of a pool or client is read somewhere.
  @Test func propertiesThatNothingReads() throws {
    var properties: [String] = []
    var code = ""
    let models = ["UserPool", "UserPoolClient", "UserPoolSettings"]
    for name in models {
      for line in try Self.text("\(Self.folder)/Model/\(name).swift").split(separator: "\n") {
        if let property = Self.property(of: line) {
          properties.append(property)
        } else if !line.hasPrefix("    f.") {
          code += line + "\n"
        }
      }
    }
    #expect(properties.count > 70)
    let copies = [
      "PoolSettings", "PoolResponses", "ClientSettings", "ClientResponses", "EchoedSettings",
      "IneffectiveSettings",
    ]
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.folder)
    where path.hasSuffix(".swift") {
      let name = path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? ""
      guard !copies.contains(name), !models.contains(name) else { continue }
      code += try Self.text("\(Self.folder)/\(path)")
    }
    let words = Set(
      code.utf8.split { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          false
        default: true
        }
      }.map { ExactString(String(Substring($0))) })
    let unread = properties.filter { !words.contains(ExactString($0)) }
    #expect(Set(unread) == Set(IneffectiveSetting.all.compactMap(\.property)))
  }

  private static let arn = "arn:aws:lambda:eu-west-1:123456789012:function:a"
  private static let role = "arn:aws:iam::123456789012:role/a"

  /// Every setting that does nothing, and those that do something beside them.
  private static let pool = #"""
    "EmailConfiguration":{"SourceArn":"\#(role)","ReplyToEmailAddress":"a@example.com","EmailSendingAccount":"DEVELOPER",
    "From":"a@example.com","ConfigurationSet":"a"},
    "LambdaConfig":{"PreSignUp":"\#(arn)","CustomEmailSender":{"LambdaVersion":"V1_0","LambdaArn":"\#(arn)"},
    "CustomSMSSender":{"LambdaVersion":"V1_0","LambdaArn":"\#(arn)"},"KMSKeyID":"\#(arn)"},
    "Policies":{"SignInPolicy":{"AllowedFirstAuthFactors":["PASSWORD","WEB_AUTHN"]}},
    "SmsConfiguration":{"SnsCallerArn":"\#(role)","ExternalId":"x","SnsRegion":"eu-west-1"},
    "UserPoolAddOns":{"AdvancedSecurityMode":"AUDIT","AdvancedSecurityAdditionalFlows":{"CustomAuthMode":"AUDIT"}},
    "UserPoolTier":"PLUS","VerificationMessageTemplate":{"EmailMessageByLink":"{##a##}","EmailSubjectByLink":"a",
    "DefaultEmailOption":"CONFIRM_WITH_LINK"}
    """#

  private static let client = #"""
    "SupportedIdentityProviders":["COGNITO","Google"],"CallbackURLs":["https://a.example/"],
    "LogoutURLs":["https://a.example/"],"DefaultRedirectURI":"https://a.example/","AllowedOAuthFlows":["code"],
    "AllowedOAuthScopes":["openid"],"AllowedOAuthFlowsUserPoolClient":true,
    "AnalyticsConfiguration":{"ApplicationArn":"\#(role)"},"EnablePropagateAdditionalUserContextData":true
    """#

  private static func names(_ keys: some Sequence<ExactString>) -> Set<String> { Set(keys.map(\.text)) }

  /// Settings that rows keep as JSON are in the table, and the other way round. A call that sets one has a warning.
  @Test func settingsThatAreKeptAsJSON() async throws {
    let s = try PoolsService()
    let (made, warning) = try await s.warned("CreateUserPool", #"{"PoolName":"a",\#(Self.pool)}"#)
    let id = try #require(made.at("UserPool", "Id")?.string)
    let passkeys =
      #"{"UserPoolId":"\#(id)","MfaConfiguration":"OPTIONAL","SmsMfaConfiguration":{"SmsConfiguration":{"SnsCallerArn":"\#(Self.role)"}},"WebAuthnConfiguration":{"UserVerification":"required"}}"#
    let (_, factors) = try await s.warned("SetUserPoolMfaConfig", passkeys)
    let row = try await s.store.read { rows throws(UserPoolError) in try rows.existingPool(id) }
    let table = IneffectiveSetting.all
    func kept(_ owner: IneffectiveSetting.Owner) -> Set<String> {
      Set(
        table.filter { $0.owner == owner && $0.property == nil && $0.element == nil }.map {
          String($0.path.split(separator: ".")[0])
        })
    }
    #expect(Self.names(row.echoed.keys) == kept(.pool).subtracting(["SmsMfaConfiguration"]))
    let ofFactors = ["SmsMfaConfiguration.SmsConfiguration", "WebAuthnConfiguration"]
    let all = table.filter { $0.owner == .pool }.map(\.name).filter { name in
      !ofFactors.contains { $0 == name }
    }
    #expect(warning == "stored without effect: " + all.joined(separator: ", "))
    #expect(factors == "stored without effect: " + ofFactors.joined(separator: ", "))

    let (client, ofClient) = try await s.warned(
      "CreateUserPoolClient", #"{"UserPoolId":"\#(id)","ClientName":"a",\#(Self.client)}"#)
    let clientID = try #require(client.at("UserPoolClient", "ClientId")?.string)
    let clientRow = try await s.store.read { rows throws(UserPoolError) in
      try rows.existingClient(clientID).client
    }
    #expect(Self.names(clientRow.echoed.keys) == kept(.client))
    #expect(
      ofClient
        == "stored without effect: "
        + table.filter { $0.owner == .client }.map(\.name).joined(separator: ", "))
  }

  /// Defaults ask for nothing: infrastructure tools send them.
  @Test func defaultsHaveNoWarning() async throws {
    let s = try PoolsService()
    let (made, warning) = try await s.warned(
      "CreateUserPool",
      #"""
      {"PoolName":"a","EmailConfiguration":{"EmailSendingAccount":"COGNITO_DEFAULT"},"UserPoolTier":"ESSENTIALS",
      "UserPoolAddOns":{"AdvancedSecurityMode":"OFF"},"LambdaConfig":{},
      "VerificationMessageTemplate":{"DefaultEmailOption":"CONFIRM_WITH_CODE"},
      "Policies":{"SignInPolicy":{"AllowedFirstAuthFactors":["PASSWORD","EMAIL_OTP"]}}}
      """#)
    #expect(warning == nil)
    let id = try #require(made.at("UserPool", "Id")?.string)
    let (_, ofClient) = try await s.warned(
      "CreateUserPoolClient",
      #"""
      {"UserPoolId":"\#(id)","ClientName":"a","SupportedIdentityProviders":["COGNITO"],"CallbackURLs":[],
      "AllowedOAuthFlowsUserPoolClient":false,"EnablePropagateAdditionalUserContextData":false}
      """#)
    #expect(ofClient == nil)
  }

  /// The guide has the table.
  @Test func theGuide() throws {
    let guide = try Self.text(VectorFile.root + "docs/user-pools.md")
    let rows = IneffectiveSetting.all.map {
      "| \($0.owner.rawValue) | `\($0.path)`\($0.element.map { " with `\($0)`" } ?? "") | \($0.instead) |"
    }
    let found = guide.split(separator: "\n").filter { $0.hasPrefix("| pool |") || $0.hasPrefix("| client |") }
    #expect(found.map(String.init) == rows)
  }
}

extension PoolsService {
  /// The answer to a developer's call, and the warning for the log.
  fileprivate func warned(_ operation: String, _ body: String) async throws -> (JSONObject, String?) {
    let head = OperationRequestHead(
      method: "POST", target: "/",
      headers: [(name: "X-Amz-Target", value: "AWSCognitoIdentityProviderService.\(operation)")])
    let route = try #require(try Self.router.route(head))
    let context = CallContext(at: Self.now)
    let response = try await UserPoolOperations(service).call(route, Array(body.utf8), isSigned: true)
      .respond(context, requestID: "r").response
    return ((try JSONValue(parsing: response.body)).object ?? JSONObject(), context.subject.warning)
  }
}
