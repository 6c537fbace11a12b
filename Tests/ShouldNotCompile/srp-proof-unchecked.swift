// error: 'key' is inaccessible due to 'private' protection level
import SecureRemotePassword

func unchecked(_ proof: consuming SRPClientProof) -> Int { proof.key.count }
