internal import Testing
internal import TokenSecurityBase

@Suite struct AWSNameTests {
  @Test(arguments: [
    ("us-east-1", AWSRegion.Partition.commercial), ("ap-southeast-4", .commercial), ("cn-north-1", .china),
    ("us-gov-west-1", .govCloud), ("me-central-12", .commercial),
  ])
  func regionsHaveAPartition(_ name: String, _ partition: AWSRegion.Partition) throws {
    let region = try AWSRegion(name)
    #expect(region.description == name)
    #expect(region.partition == partition)
  }

  @Test(arguments: ["eu-west-1", "cn-north-1", "us-gov-west-1"])
  func userPoolsHaveTwoHosts(_ name: String) throws {
    let region = try AWSRegion(name)
    #expect(AWSRegion.userPoolHost(in: name) == region.host(of: "cognito-idp"))
    #expect(AWSRegion.updatedUserPoolHost(in: name) == region.host(of: "issuer-cognito-idp"))
  }

  @Test(arguments: [
    "", "us", "us-east", "us--1", "US-east-1", "us-east-1\u{301}", "us-east-\u{FF11}", "us-east-1/", "a-b-c",
    "us-east-1.evil.example", "us-east-123", "us-iso-east-1", "us-isob-east-1", "eusc-de-east-1",
    String(repeating: "a-", count: 1 << 16),
  ])
  func otherRegionsAreRefused(_ name: String) {
    let error = #expect(throws: AWSNameError.self) { try AWSRegion(name) }
    #expect(error?.code == .identifierInvalid)
    #expect(error?.value.utf8.elementsEqual(name.utf8) == true)
  }

  @Test func userPoolIDsAreARegionAndAName() throws {
    let id = try UserPoolID("eu-west-1_Example01")
    #expect(id.region.description == "eu-west-1")
    #expect(id.name == "Example01")
  }

  @Test(arguments: [
    "", "_", "eu-west-1", "eu-west-1_", "foo_Bar", "local_Bar", "eu-west-1_a_b", "eu-west-1_\u{E9}",
    "us-iso-east-1_a", "eu-west-1_" + String(repeating: "a", count: 46),
  ])
  func otherUserPoolIDsAreRefused(_ id: String) {
    #expect(throws: AWSNameError.self) { try UserPoolID(id) }
  }

  @Test func uuidsOfVersion4() {
    let text = UUIDText.version4([UInt8](repeating: 0xFF, count: 16))
    #expect(text == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(UUIDText.isUUID(text))
    #expect(!UUIDText.isUUID(text.uppercased()))
    #expect(!UUIDText.isUUID(text + "0"))
  }
}
