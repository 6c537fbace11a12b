import sys
from token_security import TokenSecurityError, Verifier

verifier = Verifier.cognito("eu-west-1_Example01", client_ids=["1h57kf5cpq17m0eml12EXAMPLE"])
for token in sys.stdin:
    try:
        print("Hello,", verifier.verify(token.strip())["sub"])
    except TokenSecurityError as error:
        print(503 if error.is_unavailable else 401, error)
