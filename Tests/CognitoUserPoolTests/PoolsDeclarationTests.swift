internal import CognitoUserPool
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// The declarations of user pools' operations.
@Suite struct PoolsDeclarationTests {
  @Test func allOperationsOfTheModelAreDeclared() {
    let names = userPools.operations.map { $0.declaration.name }
    #expect(names.count == 74 && Set(names).count == 74)
    #expect(Set(names).isDisjoint(with: userPools.notBuilt))
    #expect(Set(userPools.notBuilt).count == 79)
    #expect(userPools.model == "botocore 1.44.8")
  }

  /// Members of the model that are left out are in no declaration of that service.
  @Test func membersThatAreNotBuiltAreNotDeclared() {
    let inputs = userPools.operations.flatMap { OperationSchema($0).input.map(\.name) }
    #expect(userPools.membersNotBuilt.contains("AcrConfiguration"))
    #expect(userPools.membersNotBuilt.isDisjoint(with: inputs))
  }

  @Test func knownNamesAreNotBuilt() async throws {
    let s = try PoolsService()
    for name in userPools.notBuilt {
      #expect(await s.refusal(name.text) == .request(.operationNotBuilt(name.text)))
    }
    let target = "AWSCognitoIdentityProviderService.MakeCoffee"
    #expect(await s.refusal("MakeCoffee") == .request(.operationUnknown(target)))
  }

  @Test func everyDeclaredOperationHasAHandler() throws {
    let operations = UserPoolOperations(try PoolsService().service)
    let missing = userPools.operations.filter { !operations.handles($0) }.map { $0.declaration.name }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test func accessIsByTokenOrSignature() {
    var count: [String: Int] = [:]
    for operation in userPools.operations {
      switch operation.declaration.access {
      case .anyone: count["anyone", default: 0] += 1
      case .accessToken(let member): count["\(member)", default: 0] += 1
      case .accessTokenOrSession(let token, let session): count["\(token) \(session)", default: 0] += 1
      case .signed(let signature):
        #expect(!signature.identity && signature.developer != nil)
        count["signed", default: 0] += 1
      }
    }
    #expect(count == ["anyone": 9, "AccessToken": 16, "AccessToken Session": 2, "signed": 47])
  }

  @Test func secretsAreLeftOut() async throws {
    var input = SignUp.Input()
    input.clientID = "client"
    input.username = "ann"
    input.password = SecretText("Passw0rd!")
    #expect(!"\(input)".contains("Passw0rd!") && !"\(input)".contains("ann"))
    var start = InitiateAuth.Input()
    start.authParameters = ["USERNAME": SecretText("ann"), "PASSWORD": SecretText("Passw0rd!")]
    #expect(!"\(start)".contains("Passw0rd!"))
    #expect(start.authParameters?.text(of: "USERNAME") == "ann")
    #expect(start.authParameters?.text(of: "SRP_A") == nil)
    var confirm = ConfirmSignUp.Input()
    confirm.confirmationCode = "123456"
    #expect(!"\(confirm)".contains("123456"))
  }

  @Test(arguments: [
    ("eu-west-1_aB3dE5gH7", true), ("a_b_c", true), ("_a", false), ("a_", false), ("a", false), ("", false),
    ("a_b-c", false), ("a b_c", false),
  ])
  func idsOfPoolsHaveTheirPattern(_ id: String, _ isRight: Bool) {
    #expect(TextBounds.userPoolID.allows(id) == isRight)
  }

  @Test(arguments: [
    ("arn:aws:lambda:eu-west-1:123456789012:function:example", true),
    ("arn:aws:iam::123456789012:role/example", true),
    ("arn:aws:lambda:eu-west-1:123456789012:function:example:1", true),
    ("arn:aws:lambda:eu-west-1:123456789012:function:example:1:2", false),
    ("arn:aws:lambda:eu-west-1:12345678901a:function", false),
    ("arn:aws:lambda:eu-west-1:123456789012", false),
    ("arn:aws::eu-west-1:123456789012:function", false), ("urn:aws:lambda:eu-west-1:123456789012:f", false),
    ("arn:aws:lambda:eu-west-1:123456789012:function:", false),
  ])
  func namesOfResourcesHaveTheirPattern(_ arn: String, _ isRight: Bool) {
    #expect(TextBounds.arn.allows(arn) == isRight)
  }

  @Test(arguments: [
    ("Click {##here##}.", true), ("Click {####}.", true), ("{##a", false), ("##}{##", false),
    ("Click {##here##", false),
  ])
  func textsWithLinksHaveTheirPattern(_ text: String, _ isRight: Bool) {
    #expect(TextBounds.emailVerificationMessageByLink.allows(text) == isRight)
  }

  @Test func textsWithCodesHaveAPlaceForThem() {
    #expect(TextBounds.smsVerificationMessage.allows("{####}"))
    #expect(!TextBounds.smsVerificationMessage.allows("code {###}"))
    #expect(!TextBounds.smsVerificationMessage.allows("{####}\ncode"))
    #expect(TextBounds.emailVerificationMessage.allows("{####}\ncode"))
    #expect(!TextBounds.emailVerificationMessage.allows("no code here"))
    #expect(TextBounds.emailAddress.allows("a@b") && !TextBounds.emailAddress.allows("@b"))
    #expect(!TextBounds.emailAddress.allows("a@") && !TextBounds.emailAddress.allows("ab"))
    #expect(TextBounds.optionalARN.allows("") && !TextBounds.optionalARN.allows("arn:"))
  }
}
