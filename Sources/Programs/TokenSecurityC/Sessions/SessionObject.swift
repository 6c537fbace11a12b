internal import CognitoIdentityClient

/// The object of a `ts_session`.
final class SessionObject: Sendable {
  let request: SessionRequest<HashBinding>
  let arn: LazyText
  let roleARN: LazyText?
  let name: LazyText?
  let identityID: LazyText?
  let poolID: LazyText?
  let sourceIdentity: LazyText?
  let methods: [LazyText]
  let tags: [(name: LazyText, value: LazyText)]
  let expiration: Int64

  init(_ request: SessionRequest<HashBinding>) {
    func lazy(_ text: String) -> LazyText { LazyText { Array(text.utf8) } }
    self.request = request
    let session = request.session
    arn = lazy(session.arn)
    roleARN = session.roleARN.map(lazy)
    name = session.sessionName.map(lazy)
    identityID = session.identityID.map(lazy)
    poolID = session.poolID.map(lazy)
    sourceIdentity = session.sourceIdentity.map(lazy)
    methods = session.methods.map(lazy)
    tags = session.tags.sorted { $0.key < $1.key }.map { (lazy($0.key.text), lazy($0.value)) }
    expiration = session.expiration.seconds
  }
}
