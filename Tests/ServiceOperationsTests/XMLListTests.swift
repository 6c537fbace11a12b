internal import ServiceOperations
internal import Testing

/// Lists, maps and structures in XML responses.
@Suite struct XMLListTests {
  private func read(_ result: String) throws(OperationError) -> Forms.Input {
    let text =
      "<FormsResponse xmlns=\"n\"><FormsResult>\(result)</FormsResult><ResponseMetadata>"
      + "<RequestId>member</RequestId></ResponseMetadata></FormsResponse>"
    return try Forms.decodeOutput(sampleForms.binding, Array(text.utf8))
  }

  @Test func listsAndMaps() throws {
    let output = try read(
      """
      <Name>a &amp; b</Name>
      <List>
        <member>x</member><member>&#xE9;</member> <!-- a comment --> <member>y</member>
      </List>
      <Inners><member><Name>n</Name><Value>1</Value></member><member><Name>m</Name></member></Inners>
      <Map><entry><key>k</key><value>v</value></entry><entry><value>w</value><key>l</key></entry></Map>
      <Inner><Name>i</Name></Inner>
      """)
    #expect(output.name == "a & b" && output.list == ["x", "é", "y"])
    #expect(output.inners?.map(\.name) == ["n", "m"] && output.inners?.map(\.value) == ["1", nil])
    #expect(output.map == ["k": "v", "l": "w"] && output.inner?.name == "i")
  }

  @Test func emptyOnes() throws {
    let output = try read("<List></List><Map></Map><Inners></Inners>")
    #expect(output.list == [] && output.map == [:] && output.inners?.count == 0)
    let absent = try read("<List/><Map/>")
    #expect(absent.list == nil && absent.map == nil)
    #expect(throws: OperationError.self) { _ = try read("<Inner></Inner>") }
  }

  @Test func whatIsNoList() {
    for (result, code) in [
      ("<List>x</List>", "member_type"), ("<Map>x</Map>", "member_type"),
      ("<Inner>x</Inner>", "member_type"), ("<Inners><member>x</member></Inners>", "member_type"),
      ("<List><member>too long a text</member></List>", "member_length"),
      ("<List><member></member></List>", "member_length"),
      ("<Name>a</Name><Name>b</Name>", "request_malformed"),
      // The numbers of elements between which there is another one begin anew.
      ("<List><member>x</member><other>o</other><member>y</member></List>", "request_malformed"),
      ("<List>" + String(repeating: "<member>x</member>", count: 600) + "</List>", "request_malformed"),
      (String(repeating: "<List>", count: 20), "request_malformed"),
    ] {
      do throws(OperationError) {
        _ = try read(result)
        Issue.record("accepted: \(result.prefix(60))")
      } catch {
        #expect(error.codeText == code, "\(result.prefix(60))")
      }
    }
  }

  /// A form has a text where a list is declared.
  @Test func textsAreNoListsInForms() {
    for (field, rule) in [
      ("List=x", "Expected list or null"), ("Map=x", "Expected map or null"), ("Inner=x", "Expected null"),
    ] {
      let body = Array("Action=Forms&Version=2020-01-01&\(field)".utf8)
      #expect(throws: OperationError.memberType(rule: rule)) {
        _ = try Forms.input(try RoutingTests.router.route(form: body), body)
      }
    }
  }
}
