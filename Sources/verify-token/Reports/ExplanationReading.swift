internal import JOSE

extension Explanation {
  var isValid: Bool { refusal == nil }

  var refusal: JOSEError? { if case .failure(let error) = result { error } else { nil } }

  /// A verdict without its checks, for whoever wants many of them.
  init(briefly compact: String, _ verifier: TokenVerifier, at now: NumericDate) {
    do {
      let token = try UnverifiedToken(compact, limits: verifier.policy.signature.limits)
      do {
        self.init(result: .success(try verifier.verify(token, at: now)), header: token.header, at: now)
      } catch {
        self.init(result: .failure(error), header: token.header, at: now)
      }
    } catch {
      self.init(refusedUnread: error, at: now)
    }
  }

  /// A verdict on a token that was never looked at.
  init(refusedUnread error: JOSEError, at now: NumericDate) {
    self.init(result: .failure(error), header: nil, at: now)
  }
}
