internal import JOSE

extension Explanation {
  /// Why the token is refused; nil for a valid token.
  var error: JOSEError? { if case .failure(let error) = result { error } else { nil } }

  /// The result without the checks.
  init(withoutChecks compact: String, _ verifier: TokenVerifier, at now: NumericDate) {
    do {
      let token = try UnverifiedToken(compact, limits: verifier.policy.signature.limits)
      do {
        self.init(result: .success(try verifier.verify(token, at: now)), header: token.header, at: now)
      } catch {
        self.init(result: .failure(error), header: token.header, at: now)
      }
    } catch {
      // The policy's rules for the header can say why the payload cannot be read.
      do throws(JOSEError) {
        self.init(result: .success(try verifier.verify(compact, at: now)), header: nil, at: now)
      } catch {
        self.init(unread: error, at: now)
      }
    }
  }

  /// The refusal of a token that could not be read.
  init(unread error: JOSEError, at now: NumericDate) {
    self.init(result: .failure(error), header: nil, at: now)
  }
}
