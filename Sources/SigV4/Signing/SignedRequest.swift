internal import TokenSecurityEncodings

/// A request with its signature, and how it came about.
public struct SignedRequest: Sendable {
  /// What to send.
  public let head: RequestHead
  /// What the signature stands on.
  public let canonicalRequest: CanonicalRequest
  /// What was signed.
  public let stringToSign: [UInt8]
  /// The signature's bytes: 32 of HMAC, or the DER of ECDSA.
  let signatureBytes: [UInt8]
  /// When it was signed.
  public let date: Timestamp
  /// What it was signed for.
  public let scope: CredentialScope
  let key: SigningKey
  let payload: Payload

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

  /// The URL of a presigned request, over https.
  public var url: String {
    "https://" + (head["host"] ?? "") + String(decoding: head.target, as: UTF8.self)
  }
}
