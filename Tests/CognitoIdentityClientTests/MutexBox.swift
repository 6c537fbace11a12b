internal import CognitoIdentityClient
internal import Synchronization

/// A value that tests change from several tasks.
final class MutexBox: Sendable {
  private let value: Mutex<StoredIdentity?>

  init(_ value: StoredIdentity?) { self.value = Mutex(value) }

  func get() -> StoredIdentity? { value.withLock { $0 } }
  func set(_ new: StoredIdentity?) { value.withLock { $0 = new } }
}
