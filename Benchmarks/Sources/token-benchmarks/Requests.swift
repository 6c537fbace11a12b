import CBare
import Foundation
import JOSE
import SigV4

/// The call that a back end makes for each of its users, signed and verified.
struct Requests {
  static let body = Array(
    #"{"IdentityPoolId":"us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53","Logins":{"login.example":"jane"},"TokenDuration":900}"#
      .utf8)

  static let head = RequestHead(
    "POST", "/",
    headers: [
      "Host": "cognito-identity.us-east-1.amazonaws.com", "Content-Type": "application/x-amz-json-1.1",
      "X-Amz-Target": "AWSCognitoIdentityService.GetOpenIdTokenForDeveloperIdentity",
    ])

  let credentials: Credentials
  let signer: Signer
  let date = Timestamp.now

  init() throws {
    credentials = try Credentials(
      accessKeyID: "AKIDEXAMPLE",
      secretAccessKey: SecretBytes(Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8).span))
    signer = try Signer(service: "cognito-identity", region: "us-east-1")
  }

  func contenders() throws -> [Contender] {
    let signed = try signer.sign(Self.head, body: .bytes(Self.body), with: credentials, at: date)
    let (head, body, sent) = (Self.head, Self.body, signed.head)
    let texts = [Self.body, signed.canonicalRequest.bytes, signed.stringToSign]
    let digest = bare_digest_new()
    let bare = Contender(name: "bare hashing of the same bytes: body, canonical request, string to sign") {
      count in
      var out = [UInt8](repeating: 0, count: 32)
      for _ in 0..<count {
        for text in texts where bare_sha256(digest, text, text.count, &out) != 1 { return false }
      }
      return true
    }
    let policy = VerifierPolicy(
      service: "cognito-identity", region: "us-east-1",
      hosts: .oneOf(["cognito-identity.us-east-1.amazonaws.com"]))
    let verifier = try RequestVerifier(policy: policy)
    let key = VerificationKey.credentials(credentials)
    var manyPolicy = policy
    manyPolicy.algorithms = [.ecdsaP256SHA256]
    let manyVerifier = try RequestVerifier(policy: manyPolicy)
    let many = try Signer(service: "cognito-identity", regionSet: ["*"])
    let manySigned = try many.sign(Self.head, body: .bytes(Self.body), with: credentials, at: date)
    let publicKey = VerificationKey.publicKey(try ECDSASigningKey(credentials).publicKey)
    return [
      bare,
      Contender(name: "signing") { count in
        for _ in 0..<count { _ = try signer.sign(head, body: .bytes(body), with: credentials, at: date) }
        return true
      },
      Contender(name: "verifying, both steps") { count in
        for _ in 0..<count {
          _ = try verifier.verify(verifier.parse(sent, at: date), key: key, body: body)
        }
        return true
      },
      Contender(name: "presigning") { count in
        for _ in 0..<count {
          _ = try signer.presign(Self.head, expiresIn: .seconds(900), with: credentials, at: date)
        }
        return true
      },
      Contender(name: "signing with SigV4A") { count in
        for _ in 0..<count / 4 {
          for _ in 0..<4 {
            _ = try many.sign(Self.head, body: .bytes(Self.body), with: credentials, at: date)
          }
        }
        return true
      },
      Contender(name: "verifying SigV4A with a public key") { count in
        for _ in 0..<count {
          _ = try manyVerifier.verify(
            manyVerifier.parse(manySigned.head, at: date), key: publicKey, body: Self.body)
        }
        return true
      },
    ]
  }
}

/// A body of 8 MiB that comes in pieces of 64 KiB.
struct Streams {
  let body = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  func contenders() throws -> [Contender] {
    let requests = try Requests()
    let digest = bare_digest_new()
    let pieces = stride(from: 0, to: body.count, by: 65_536).map { Array(body[$0..<$0 + 65_536]) }
    let signer = try Signer(service: "s3", region: "us-east-1")
    let head = RequestHead("PUT", "/key", headers: ["Host": "b.example"])
    let chunked = try signer.sign(
      head, body: .chunks(ChunkLayout(decodedLength: body.count)), with: requests.credentials,
      at: requests.date)
    let checked = try signer.sign(
      head, body: .chunks(ChunkLayout(decodedLength: body.count, checksum: .crc64NVMe)),
      with: requests.credentials,
      at: requests.date)
    let whole = try signer.sign(head, body: .bytes(body), with: requests.credentials, at: requests.date)
    var policy = VerifierPolicy(service: "s3", region: "us-east-1", hosts: .oneOf(["b.example"]))
    policy.payloads = [.hash, .signedChunks]
    let verifier = try RequestVerifier(policy: policy)
    let key = VerificationKey.credentials(requests.credentials)
    func sent(_ request: SignedRequest) throws -> [[UInt8]] {
      var chunks = try request.chunkSigner()
      var sent = try pieces.map { try chunks.write($0) }
      sent.append(try chunks.finish())
      return sent
    }
    func sign(_ name: String, _ request: SignedRequest) -> Contender {
      Contender(name: name) { count in
        for _ in 0..<count {
          var chunks = try request.chunkSigner()
          var size = 0
          for piece in pieces { size += try chunks.write(piece).count }
          guard try size + chunks.finish().count > body.count else { return false }
        }
        return true
      }
    }
    func verify(_ name: String, _ request: SignedRequest, _ pieces: [[UInt8]], _ release: BodyRelease)
      -> Contender
    {
      Contender(name: name) { count in
        for _ in 0..<count {
          var reader = try verifier.verifyBody(
            verifier.parse(request.head, at: requests.date), key: key, release: release)
          var size = 0
          for piece in pieces { size += try reader.read(piece).count }
          size += try reader.finish().rest.count
          guard size == body.count else { return false }
        }
        return true
      }
    }
    return [
      Contender(name: "bare SHA-256 of 8 MiB") { count in
        var out = [UInt8](repeating: 0, count: 32)
        for _ in 0..<count where bare_sha256(digest, body, body.count, &out) != 1 { return false }
        return true
      },
      verify("a body's hash while it is received", whole, pieces, .immediately),
      sign("chunks signed", chunked),
      verify("chunks verified, each before its release", chunked, try sent(chunked), .whenVerified()),
      verify("chunks verified, verdict at the end", chunked, try sent(chunked), .immediately),
      sign("chunks signed, with CRC-64/NVME", checked),
    ]
  }
}
