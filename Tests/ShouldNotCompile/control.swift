// accepted
import JOSE

func use(_ verifier: TokenVerifier, _ text: String) throws -> String? {
  try verifier.verify(text).claims.subject
}

func look(_ secret: consuming SecretBytes) -> Int { secret.count }
