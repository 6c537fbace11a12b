import JOSE

/// PEM and DER: a key can be written as PEM and read again, and its file is never accepted as a secret.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  _ = try? KeyFile.pem(SecretBytes(bytes.span))
  if let set = try? KeyFile.read(SecretBytes(bytes.span)) {
    precondition(set.keys.count + set.rejected.count <= JWKSet.keyLimit)
  }
  _ = CertificateFile.problem(bytes)
  if let key = try? KeyFile.der(SecretBytes(bytes.span)) {
    guard let pem = try? key.publicPEM(), let again = try? KeyFile.pem(SecretBytes(pem.utf8.span)) else {
      preconditionFailure("a key that cannot be written")
    }
    precondition((try? again.thumbprint()) == (try? key.thumbprint()))
    precondition((try? JWK(secret: SecretBytes(bytes.span))) == nil)
  }
  return 0
}
