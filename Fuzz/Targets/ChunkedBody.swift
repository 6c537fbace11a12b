import SigV4
import TokenSecurityCrypto

/// Bodies in chunks, signed and unsigned, in pieces of any size: unsigned bytes are not released.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 2 else { return -1 }
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let upload = Upload.all[Int(input[0]) % Upload.all.count]
  let size = Int(input[1]) + 1
  let sent = Array(input[2...])
  do throws(SigV4Error) {
    var body = try upload.verifier.verifyBody(
      upload.pending, key: .credentials(upload.credentials), release: .whenVerified(atMost: 64))
    var output: [UInt8] = []
    for place in stride(from: 0, to: sent.count, by: size) {
      output += try body.read(Array(sent[place..<min(place + size, sent.count)]))
    }
    let end = try body.finish()
    precondition(output + end.rest == Upload.data)
  } catch {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096)
  }
  return 0
}

struct Upload: Sendable {
  static let data = Array("forty bytes of a body that is in chunks!".utf8)
  static let all = [
    make(nil, true), make(.crc32, true), make(.crc32, false), make(.sha1, false),
    make(.sha512, false), make(.md5, false),
  ]

  let pending: PendingRequest
  let verifier: RequestVerifier
  let credentials: Credentials

  private static func make(_ checksum: ChecksumAlgorithm?, _ isSigned: Bool) -> Upload {
    do { return try Upload(checksum, isSigned) } catch { fatalError("\(error)") }
  }

  init(_ checksum: ChecksumAlgorithm?, _ isSigned: Bool) throws {
    let now = Timestamp(seconds: 1_440_938_160)
    credentials = try Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: SecretBytes(Array("secret".utf8).span))
    let layout = try ChunkLayout(
      decodedLength: Self.data.count, chunkSize: 16, checksum: checksum, isSigned: isSigned)
    let signed = try Signer(service: "s3", region: "us-east-1").sign(
      RequestHead("PUT", "/", headers: ["Host": "api.example"]), body: .chunks(layout),
      with: credentials, at: now)
    var policy = VerifierPolicy(service: "s3", region: "us-east-1", hosts: .oneOf(["api.example"]))
    policy.payloads = [.signedChunks, .unsignedChecksum]
    verifier = try RequestVerifier(policy: policy)
    pending = try verifier.parse(signed.head, at: now)
  }
}
