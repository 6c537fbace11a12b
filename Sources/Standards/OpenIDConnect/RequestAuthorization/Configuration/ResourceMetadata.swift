internal import HTTPExchange
internal import TokenSecurityBase

/// The metadata of a protected resource (RFC 9728): where its challenges point to, and the document if this sidecar serves it.
public struct ResourceMetadata: Sendable, Hashable {
  /// The URL of the document, `resource_metadata` of challenges.
  public let address: String
  /// The document as JSON; nil if another server has it.
  public let document: [UInt8]?

  /// Reads a URL, or an object with members of RFC 9728 section 2. The URL of its document follows from `resource`.
  init(
    _ object: inout DocumentObject, _ name: String, proof: ProofRules?, certificate: ClientCertificateField?
  ) throws(PolicyDocumentError) {
    guard object.value(name)?.object != nil, var members = try object.object(name) else {
      let text = try object.requiredText(name)
      guard Self.url(text) != nil else {
        throw object.refused(name, "is \(text.quoted) and must be an https URL")
      }
      address = text
      document = nil
      return
    }
    let resource = try members.requiredText("resource")
    guard let url = Self.url(resource) else {
      throw members.refused("resource", "is \(resource.quoted) and must be an https URL without a query")
    }
    // RFC 9728 section 3.1: between host and path, whose only slash is left out.
    let path = url.path.utf8.count == 1 ? "" : url.path
    address =
      "\(resource.prefix(resource.utf8.count - Self.pathSize(of: resource)))/.well-known/oauth-protected-resource\(path)"
    var json: JSONObject = ["resource": .string(resource)]
    for member in ["authorization_servers", "scopes_supported"] {
      if let texts = try members.texts(member) { json[member] = .array(texts.map { .string($0) }) }
    }
    json["bearer_methods_supported"] = .array([.string("header")])
    for member in ["resource_name", "resource_documentation", "resource_policy_uri", "resource_tos_uri"] {
      if let text = try members.text(member) { json[member] = .string(text) }
    }
    if let proof { json["dpop_bound_access_tokens_required"] = .bool(proof.isRequired) }
    if let certificate {
      json["tls_client_certificate_bound_access_tokens"] = .bool(certificate.isRequired)
    }
    try members.refuseOthers()
    document = JSONWriter.write(json)
  }

  private static func url(_ text: String) -> HTTPURL? {
    guard let url = try? HTTPURL(text), url.isSecure, url.query == nil,
      !text.utf8.contains(UInt8(ascii: "\""))
    else { return nil }
    return url
  }

  /// The bytes of the path at the end of a URL's text.
  private static func pathSize(of text: String) -> Int {
    let rest = text.utf8.dropFirst("https://".utf8.count)
    return rest.firstIndex(of: UInt8(ascii: "/")).map { rest[$0...].count } ?? 0
  }
}
