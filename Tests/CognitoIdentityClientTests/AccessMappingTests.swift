internal import CognitoIdentityClient
internal import SigV4
internal import Testing

/// Requests as actions on resources.
@Suite struct AccessMappingTests {
  private static func read(
    _ mapping: AccessMapping, _ method: String, _ target: String,
    _ headers: KeyValuePairs<String, String> = [:]
  ) -> [String] {
    do throws(AccessMappingError) {
      return try mapping.accesses(of: RequestHead(method, target, headers: headers)).map { access in
        let keys = access.keys.map { " \($0.key)=\($0.value.joined(separator: "|"))" }.joined()
        return "\(access.action) \(access.resource)\(keys)"
      }
    } catch {
      return [error.codeText]
    }
  }

  private static func template(_ resource: String, prefix: String = "") throws -> AccessMapping {
    .template(
      try AccessTemplate(
        actions: [("GET", "orders:Read"), ("PUT", "orders:Write")], resource: resource, prefix: prefix))
  }

  @Test(arguments: [
    ("GET", "/users/eu-west-1:a/17", "orders:Read arn:aws:orders:::users/eu-west-1:a/17"),
    ("PUT", "/users/eu-west-1%3Aa/17?x=/../y", "orders:Write arn:aws:orders:::users/eu-west-1:a/17"),
    ("GET", "/", "orders:Read arn:aws:orders:::"), ("GET", "/a/", "orders:Read arn:aws:orders:::a/"),
    ("GET", "/a%20b/%C3%A9", "orders:Read arn:aws:orders:::a b/\u{E9}"),
    ("GET", "/%2A/%3f", "orders:Read arn:aws:orders:::*/?"),
    ("GET", "/a%3Bv=1/b", "orders:Read arn:aws:orders:::a;v=1/b"),
    ("GET", "/a%252Fb", "orders:Read arn:aws:orders:::a%2Fb"),
    ("GET", "/...a/.b", "orders:Read arn:aws:orders:::...a/.b"),
    ("POST", "/a", "access_unmapped"), ("get", "/a", "access_unmapped"), ("", "/a", "access_unmapped"),
  ]) func templates(method: String, target: String, expected: String) throws {
    #expect(Self.read(try Self.template("arn:aws:orders:::{path}"), method, target) == [expected])
  }

  /// Paths that servers read in another way: as another segment, or as a path without a part.
  @Test(arguments: [
    "//a", "/a//b", "/a/./b", "/a/../b", "/a/..", "/.", "/a/%2e%2E/b", "/a%2Fb", "/a%2fb", "/a%5Cb", "/a\\b",
    "/a/..;/b",
    "/a/..;x=1/b", "/a/.%3B/b", "/a/;x/b", "/a/b;", "/a/b;v=1", "/a;v=1/b", "/a/%3Bx/b",
    "/a/..%20/b", "/a/.%20./b", "/a/%00", "/a%0Ab", "/a/%7F", "/a/%FF",
    "/a/%C0%AF",
    "/a/%ED%A0%80", "/a/%zz", "/a/%", "a", "*", "",
  ]) func ambiguousPaths(target: String) throws {
    let template = try Self.template("arn:aws:orders:::{path}")
    for mapping in [
      template, .s3, .executeAPI(ExecuteAPIForm(region: "r", account: "1", api: "a", stage: "s")),
    ] {
      #expect(Self.read(mapping, "GET", target) == ["access_path_ambiguous"])
    }
  }

  @Test func prefixesAndMethods() throws {
    let mapping = try Self.template("arn:aws:orders:::{method}/{path}", prefix: "/api/v1")
    #expect(Self.read(mapping, "GET", "/api/v1/a/b") == ["orders:Read arn:aws:orders:::GET/a/b"])
    #expect(Self.read(mapping, "GET", "/%61pi/v1/a") == ["orders:Read arn:aws:orders:::GET/a"])
    for target in ["/api/v1", "/api", "/api/v2/a", "/API/v1/a", "/api/v11/a"] {
      #expect(Self.read(mapping, "GET", target) == ["access_unmapped"])
    }
    #expect(Self.read(mapping, "GET", "/api/v1/") == ["orders:Read arn:aws:orders:::GET/"])
    for (resource, prefix, code) in [
      ("{paths}", "", "access_template_invalid"), ("{path", "", "access_template_invalid"),
      ("{}", "", "access_template_invalid"), ("{path}", "/a/", "access_template_invalid"),
      ("{path}", "/../a", "access_path_ambiguous"), ("{path}", "a", "access_path_ambiguous"),
    ] {
      let error = #expect(throws: AccessMappingError.self) { try Self.template(resource, prefix: prefix) }
      #expect(error?.codeText == code)
    }
  }

  /// Another action or resource than one that policies name would pass by what denies that one.
  @Test func actionsAndResourcesWithoutWildcards() throws {
    for text in ["orders:Read", "execute-api:Invoke", "a:b"] { #expect(AccessTemplate.isAction(text)) }
    for text in [
      "", "*", "orders", "orders:", ":Read", "orders:*", "orders:Rea?", "a:b:c", "orders: Read", "a:\u{E9}",
    ] {
      #expect(!AccessTemplate.isAction(text), "\(text)")
    }
    for resource in ["arn:aws:orders:::*", "arn:aws:orders:::{path}/?", "**", "*{path}"] {
      let error = #expect(throws: AccessMappingError.self) { try Self.template(resource) }
      #expect(error?.codeText == "access_template_invalid")
    }
    #expect(Self.read(try Self.template("*"), "GET", "/a") == ["orders:Read *"])
  }

  @Test func formOfAPIGateway() {
    let form = AccessMapping.executeAPI(
      ExecuteAPIForm(region: "eu-west-1", account: "123456789012", api: "a1b2", stage: nil))
    let start = "execute-api:Invoke arn:aws:execute-api:eu-west-1:123456789012:a1b2"
    #expect(Self.read(form, "GET", "/prod/users/7?x") == ["\(start)/prod/GET/users/7"])
    #expect(Self.read(form, "PATCH", "/prod") == ["\(start)/prod/PATCH/"])
    #expect(Self.read(form, "GET", "/prod/") == ["\(start)/prod/GET/"])
    #expect(Self.read(form, "GET", "/") == ["access_unmapped"])
    #expect(Self.read(form, "Get", "/prod/a") == ["access_unmapped"])
    let fixed = AccessMapping.executeAPI(
      ExecuteAPIForm(region: "eu-west-1", account: "123456789012", api: "a1b2", stage: "live"))
    #expect(Self.read(fixed, "GET", "/users/7") == ["\(start)/live/GET/users/7"])
  }

  @Test(arguments: [
    ("GET", "/", ["s3:ListAllMyBuckets arn:aws:s3:::*"]),
    (
      "GET", "/b?list-type=2&prefix=users%2Fjane%2F&delimiter=/&max-keys=7",
      ["s3:ListBucket arn:aws:s3:::b s3:prefix=users/jane/ s3:delimiter=/ s3:max-keys=7"]
    ),
    ("HEAD", "/b/", ["s3:ListBucket arn:aws:s3:::b"]),
    ("GET", "/b?versions", ["s3:ListBucketVersions arn:aws:s3:::b"]),
    ("GET", "/b?uploads=&prefix=x", ["s3:ListBucketMultipartUploads arn:aws:s3:::b s3:prefix=x"]),
    ("GET", "/b?location", ["s3:GetBucketLocation arn:aws:s3:::b"]),
    ("PUT", "/b", ["s3:CreateBucket arn:aws:s3:::b"]),
    ("DELETE", "/b", ["s3:DeleteBucket arn:aws:s3:::b"]),
    (
      "GET", "/b/a/c%20d?x-id=GetObject&response-content-type=text%2Fplain",
      ["s3:GetObject arn:aws:s3:::b/a/c d"]
    ),
    ("GET", "/b/k?X-Amz-Signature=1&X-Amz-Expires=2", ["s3:GetObject arn:aws:s3:::b/k"]),
    ("HEAD", "/b/k?partNumber=1", ["s3:GetObject arn:aws:s3:::b/k"]),
    ("GET", "/b/k?versionId=7", ["s3:GetObjectVersion arn:aws:s3:::b/k s3:VersionId=7"]),
    ("PUT", "/b/k", ["s3:PutObject arn:aws:s3:::b/k"]),
    ("DELETE", "/b/k/", ["s3:DeleteObject arn:aws:s3:::b/k/"]),
    ("DELETE", "/b/k?versionId=7", ["s3:DeleteObjectVersion arn:aws:s3:::b/k s3:VersionId=7"]),
    ("PUT", "/b/k?tagging&versionId=7", ["s3:PutObjectVersionTagging arn:aws:s3:::b/k s3:VersionId=7"]),
    ("GET", "/b/k?acl", ["s3:GetObjectAcl arn:aws:s3:::b/k"]),
    ("GET", "/b/k?attributes", ["s3:GetObject arn:aws:s3:::b/k", "s3:GetObjectAttributes arn:aws:s3:::b/k"]),
    ("PUT", "/b/k?retention", ["s3:PutObjectRetention arn:aws:s3:::b/k"]),
    ("GET", "/b/k?legal-hold", ["s3:GetObjectLegalHold arn:aws:s3:::b/k"]),
    ("POST", "/b/k?uploads", ["s3:PutObject arn:aws:s3:::b/k"]),
    ("PUT", "/b/k?partNumber=1&uploadId=u", ["s3:PutObject arn:aws:s3:::b/k"]),
    ("POST", "/b/k?uploadId=u", ["s3:PutObject arn:aws:s3:::b/k"]),
    ("DELETE", "/b/k?uploadId=u", ["s3:AbortMultipartUpload arn:aws:s3:::b/k"]),
    ("GET", "/b/k?uploadId=u&max-parts=2", ["s3:ListMultipartUploadParts arn:aws:s3:::b/k"]),
    ("POST", "/b?delete", ["access_unmapped"]), ("POST", "/b", ["access_unmapped"]),
    ("POST", "/b/k", ["access_unmapped"]),
    ("GET", "/b?policy", ["access_unmapped"]), ("GET", "/b/k?torrent", ["access_unmapped"]),
    ("GET", "/b/k?acl&tagging", ["access_unmapped"]), ("PUT", "/b/k?partNumber=1", ["access_unmapped"]),
    ("PUT", "/b/k?versionId=1", ["access_unmapped"]), ("GET", "/?x", ["access_unmapped"]),
    ("PUT", "/b/k?x-amz-acl=public-read", ["access_unmapped"]),
    ("DELETE", "/b?prefix=a", ["access_unmapped"]),
    ("DELETE", "/b/k?uploadId=", ["access_unmapped"]), ("DELETE", "/b/k?versionId", ["access_unmapped"]),
    ("PUT", "/b/k?uploadId=u&partNumber=", ["access_unmapped"]),
    ("GET", "/b/k?versionId=1&versionId=2", ["access_query_ambiguous"]),
    ("GET", "/b?prefix=%FF", ["access_query_ambiguous"]),
    // Programs that end parameters at semicolons read two prefixes.
    ("GET", "/b?prefix=own/;prefix=other/", ["access_query_ambiguous"]),
    ("GET", "/b/k?x-id=1;acl", ["access_query_ambiguous"]),
    ("GET", "/b?prefix=a%3Bb", ["s3:ListBucket arn:aws:s3:::b s3:prefix=a;b"]),
    ("GET", "/b?prefix=own/../other/", ["access_path_ambiguous"]),
    ("GET", "/b?prefix=own/%2E%2E/other/", ["access_path_ambiguous"]),
    ("GET", "/b?prefix=own/..", ["access_path_ambiguous"]),
    ("GET", "/b?prefix=own//", ["access_path_ambiguous"]),
    ("GET", "/b?prefix=/", ["access_path_ambiguous"]),
    ("GET", "/b?prefix=own/%00", ["access_path_ambiguous"]),
    ("GET", "/b?prefix=own/..%5Cother", ["access_path_ambiguous"]),
    ("GET", "/b?prefix=own/..%3Bx/", ["access_path_ambiguous"]),
    ("GET", "/b?versions&prefix=a/.b", ["s3:ListBucketVersions arn:aws:s3:::b s3:prefix=a/.b"]),
    ("GET", "/b?prefix=a%252Fb", ["s3:ListBucket arn:aws:s3:::b s3:prefix=a%2Fb"]),
  ]) func formOfS3(method: String, target: String, expected: [String]) {
    #expect(Self.read(.s3, method, target) == expected)
  }

  @Test func headersOfS3() {
    let put = "s3:PutObject arn:aws:s3:::b/k"
    let copying = "\(put) s3:x-amz-copy-source="
    #expect(
      Self.read(.s3, "PUT", "/b/k", ["X-Amz-Copy-Source": "/c/other%20key?versionId=3"])
        == [
          copying + "/c/other%20key?versionId=3",
          "s3:GetObjectVersion arn:aws:s3:::c/other key s3:VersionId=3",
        ])
    #expect(
      Self.read(.s3, "PUT", "/b/k", ["x-amz-copy-source": "c/o"])
        == [copying + "c/o", "s3:GetObject arn:aws:s3:::c/o"])
    #expect(
      Self.read(
        .s3, "PUT", "/b/k",
        [
          "X-Amz-Acl": "public-read", "x-amz-grant-read": "id=1", "x-amz-tagging": "a=b",
          "x-amz-object-lock-mode": "GOVERNANCE",
          "x-amz-object-lock-legal-hold": "ON",
        ])
        == ["", "Acl", "Tagging", "Retention", "LegalHold"].map {
          "s3:PutObject\($0) arn:aws:s3:::b/k s3:x-amz-acl=public-read s3:x-amz-grant-read=id=1"
        })
    #expect(
      Self.read(.s3, "DELETE", "/b/k", ["x-amz-bypass-governance-retention": "true"])
        == ["s3:DeleteObject arn:aws:s3:::b/k", "s3:BypassGovernanceRetention arn:aws:s3:::b/k"])
    for source in [
      "c", "c/", "/", "", "c/k?acl", "arn:aws:s3:us-east-1:1:accesspoint/a", "c/a+b", "c/own#x",
      "c/own,/c/other",
    ] {
      #expect(
        Self.read(.s3, "PUT", "/b/k", ["x-amz-copy-source": source]) == ["access_unmapped"], "\(source)")
    }
    #expect(Self.read(.s3, "PUT", "/b/k", ["x-amz-copy-source": "c/../d"]) == ["access_path_ambiguous"])
    #expect(Self.read(.s3, "GET", "/b/k", ["x-amz-copy-source": "c/d"]) == ["access_unmapped"])
    #expect(
      Self.read(.s3, "PUT", "/b/k", ["x-amz-copy-source": "c/d", "X-Amz-Copy-Source": "c/e"]) == [
        "access_unmapped"
      ])
    #expect(Self.read(.s3, "PUT", "/b/k", ["x-amz-copy-source": "c/a;b"]) == ["access_path_ambiguous"])
    #expect(
      Self.read(.s3, "PUT", "/b/k", ["x-amz-copy-source": "c/a%2Bb%2Cc%23"]).last
        == "s3:GetObject arn:aws:s3:::c/a+b,c#")
  }

  @Test func headersOfNewBuckets() {
    let bucket = "arn:aws:s3:::b"
    #expect(
      Self.read(.s3, "PUT", "/b", ["X-Amz-Acl": "public-read"])
        == ["s3:CreateBucket", "s3:PutBucketAcl"].map { "\($0) \(bucket) s3:x-amz-acl=public-read" })
    #expect(
      Self.read(.s3, "PUT", "/b", ["x-amz-grant-full-control": "id=1"])
        == ["s3:CreateBucket", "s3:PutBucketAcl"].map { "\($0) \(bucket) s3:x-amz-grant-full-control=id=1" })
    #expect(
      Self.read(.s3, "PUT", "/b", ["x-amz-bucket-object-lock-enabled": "true"])
        == ["CreateBucket", "PutBucketObjectLockConfiguration", "PutBucketVersioning"].map {
          "s3:\($0) \(bucket)"
        })
    #expect(
      Self.read(.s3, "PUT", "/b", ["x-amz-object-ownership": "ObjectWriter"])
        == ["CreateBucket", "PutBucketOwnershipControls"].map {
          "s3:\($0) \(bucket) s3:x-amz-object-ownership=ObjectWriter"
        })
  }

  /// A condition and the application could read another value.
  @Test func severalValuesOfAField() {
    for (first, second) in [("private", "public-read"), ("private", "private")] {
      #expect(
        Self.read(.s3, "PUT", "/b/k", ["x-amz-acl": first, "X-Amz-Acl": second]) == ["access_unmapped"])
      #expect(Self.read(.s3, "PUT", "/b/k", ["x-amz-acl": "\(first),\(second)"]) == ["access_unmapped"])
    }
    #expect(
      Self.read(.s3, "PUT", "/b/k", ["x-amz-grant-read": "id=1, id=2"]).first
        == "s3:PutObject arn:aws:s3:::b/k s3:x-amz-grant-read=id=1, id=2")
    #expect(
      Self.read(
        .s3, "GET", "/b/k", ["x-amz-checksum-mode": "ENABLED", "x-amz-content-sha256": "UNSIGNED-PAYLOAD"])
        == ["s3:GetObject arn:aws:s3:::b/k s3:x-amz-content-sha256=UNSIGNED-PAYLOAD"])
  }
}
