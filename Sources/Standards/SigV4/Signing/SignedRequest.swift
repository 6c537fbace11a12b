internal import TokenSecurityBase

/// A signed request, with the intermediate values of its signature.
public struct SignedRequest: Sendable {
  /// The request to send.
  public let head: RequestHead
  /// The canonical request.
  public let canonicalRequest: CanonicalRequest
  /// The string to sign.
  public let stringToSign: [UInt8]
  /// The bytes of the signature: 32 of HMAC, or the DER of ECDSA.
  let signatureBytes: [UInt8]
  /// The date of the signature.
  public let date: Timestamp
  /// The scope of the signature.
  public let scope: CredentialScope
  let key: SigningKey
  let payload: Payload
  /// False for a request that was presigned by an `http` URL.
  var isSecure = true

  init(
    head: RequestHead, canonicalRequest: CanonicalRequest, stringToSign: [UInt8], signature: [UInt8],
    date: Timestamp,
    scope: CredentialScope, key: SigningKey, payload: Payload
  ) {
    self.head = head
    self.canonicalRequest = canonicalRequest
    self.stringToSign = stringToSign
    signatureBytes = signature
    self.date = date
    self.scope = scope
    self.key = key
    self.payload = payload
  }

  /// The signature in lower-case hex: 64 digits, or up to 144 for SigV4A.
  public var signature: String { Hex.string(signatureBytes) }

  /// The URL of a presigned request: with `https`, unless it was made from a URL with `http`.
  public var url: String {
    (isSecure ? "https://" : "http://") + (head["host"] ?? "") + String(decoding: head.target, as: UTF8.self)
  }
}
