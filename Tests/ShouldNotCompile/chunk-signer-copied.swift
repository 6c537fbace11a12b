// error: 'signer' consumed more than once
import SigV4

func twice(_ request: SignedRequest) throws -> [UInt8] {
  let signer = try request.chunkSigner()
  return try signer.finish() + signer.finish()
}
