// error: 'VerifiedRequest<Binding>' initializer is inaccessible due to 'internal' protection level
import SigV4

func forge(_ pending: PendingRequest, _ binding: HashBinding) -> VerifiedRequest<HashBinding> {
  VerifiedRequest(pending, binding)
}
