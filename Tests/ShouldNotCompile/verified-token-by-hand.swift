// error: 'VerifiedToken' initializer is inaccessible due to 'internal' protection level
import JOSE

func forge(_ token: UnverifiedToken) -> VerifiedToken {
  VerifiedToken(token, algorithm: .hs256, keyID: nil, verifiedAt: .now)
}
