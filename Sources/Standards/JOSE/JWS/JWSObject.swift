internal import TokenSecurityBase

/// A JWS in the general or flattened JSON serialisation (RFC 7515 sections 7.2.1 and 7.2.2), parsed.
struct JWSObject {
  /// The payload as in the JSON text; nil if it is detached.
  let payload: String?
  let signatures: [Signature]

  struct Signature {
    /// The protected header as it is signed; empty if absent.
    let encodedProtected: String
    let protected: JOSEHeader?
    let unprotected: JOSEHeader?
    /// The parameters of both headers.
    let joined: JSONObject
    let signature: [UInt8]
  }

  /// Whether the payload is encoded. All signatures, valid or not, must agree (RFC 7797 section 3).
  var isEncoded: Bool {
    get throws(JOSEError) {
      let isEncoded = signatures.first?.protected?.isPayloadEncoded ?? true
      for entry in signatures where (entry.protected?.isPayloadEncoded ?? true) != isEncoded {
        throw .serialization(rule: "the signatures do not agree on \"b64\"")
      }
      return isEncoded
    }
  }

  /// The maximum number of signatures.
  static let signatureLimit = 16

  init(_ json: String, limits: TokenLimits) throws(JOSEError) {
    guard json.utf8.count <= limits.token else {
      throw .tokenTooLarge(size: json.utf8.count, limit: limits.token)
    }
    let object: JSONObject
    do {
      let value = try JSONValue(parsing: json, limits: limits.json)
      guard let found = value.object else {
        throw JOSEError.serialization(rule: "the JWS is not a JSON object")
      }
      object = found
    } catch let error as JSONError {
      throw .json(.serialization, error)
    } catch {
      throw error as? JOSEError ?? .serialization(rule: "the JWS is malformed")
    }
    payload = try Self.text("payload", object)
    guard let entries = object["signatures"] else {
      signatures = [try Signature(object, limits: limits)]
      return
    }
    // RFC 7515 section 7.2.2: the two forms must not be mixed.
    for name in ["signature", "protected", "header"] where object[name] != nil {
      throw .serialization(rule: "\"\(name)\" and \"signatures\" are both present")
    }
    guard let list = entries.array, !list.isEmpty else {
      throw .serialization(rule: "\"signatures\" is not an array with at least one element")
    }
    guard list.count <= Self.signatureLimit else {
      throw .serialization(
        rule: "there are \(list.count) signatures; at most \(Self.signatureLimit) are allowed")
    }
    var signatures: [Signature] = []
    for entry in list {
      guard let entry = entry.object else {
        throw .serialization(rule: "a signature is not an object")
      }
      signatures.append(try Signature(entry, limits: limits))
    }
    self.signatures = signatures
  }

  fileprivate static func text(_ name: String, _ object: JSONObject) throws(JOSEError) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.string else {
      throw .serialization(rule: "\"\(name)\" is not a string")
    }
    return text
  }
}

extension JWSObject.Signature {
  fileprivate init(_ object: JSONObject, limits: TokenLimits) throws(JOSEError) {
    guard let text = try JWSObject.text("signature", object) else {
      throw .serialization(rule: "\"signature\" is missing")
    }
    signature = try CompactParts.decode(text.utf8.span, .signature, 0, text.utf8.count)
    let encoded = try JWSObject.text("protected", object)
    guard encoded != "" else {
      throw .serialization(rule: "\"protected\" is empty; it must be absent instead")
    }
    encodedProtected = encoded ?? ""
    if let encoded {
      protected = try JOSEHeader(
        CompactParts.decode(encoded.utf8.span, .header, 0, encoded.utf8.count), limits: limits)
    } else {
      protected = nil
    }
    if let value = object["header"] {
      guard let members = value.object else {
        throw .serialization(rule: "\"header\" is not an object")
      }
      unprotected = try JOSEHeader(members, limits: limits)
    } else {
      unprotected = nil
    }
    guard protected != nil || unprotected != nil else {
      throw .serialization(rule: "a signature has no header")
    }
    var joined = protected?.parameters ?? JSONObject()
    for member in unprotected?.parameters.members ?? [] {
      // RFC 7515 section 7.2.1: no name in both.
      guard joined[member.name] == nil else {
        throw .serialization(rule: "\(member.name.quoted) is in both headers")
      }
      joined[member.name] = member.value
    }
    self.joined = joined
  }
}
