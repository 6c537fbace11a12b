import CognitoUserPool
import Foundation
import RecordsPostgreSQL
import RecordsSQLite
import SecureRemotePassword

/// A pool over an engine, with users and with names that no user has.
final class Measured {
  /// Other users of the pool for each measured one. A name of nobody then has a neighbour of its own, which is as seldom
  /// read as a user is, and lies as far from the next one.
  private static let others = 4

  private let pool: TimedPool
  private let store: any RecordStore
  private let folder: String?
  private let own: String
  private let key: String
  private var warm: [String] = []
  private var cold: [String] = []
  private var unknown: [String] = []

  /// Makes twice `count` users, of which half are read before each measurement, and twice as many names.
  init(_ engine: String, _ kind: TimedNames, _ server: TimedServer?, _ count: Int) async throws {
    if engine == "SQLite" {
      let path = FileManager.default.temporaryDirectory.path + "/timing-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      folder = path
      store = try SQLiteRecordStore(path: path + "/pools.sqlite", tables: UserPoolTables.all)
    } else {
      guard let server else { throw TimedServer.ServerError(text: "there is no server") }
      folder = nil
      store = try await PostgreSQLRecordStore(
        PostgreSQLSettings(url: try server.newDatabase()), tables: UserPoolTables.all)
    }
    pool = try await TimedPool(kind.settings, over: store)
    key =
      try CognitoPasswordSignIn(userPoolID: SignIns.poolID, client: CognitoAppClient(id: "c"), username: "u")
      .request.parameters["SRP_A"] ?? ""
    let first = TimedNames.Person()
    try await pool.add(kind.user(first))
    own = kind.typed(first)
    for number in 0..<(2 * count) {
      let person = TimedNames.Person()
      try await pool.add(kind.user(person))
      for _ in 0..<Self.others { try await pool.add(kind.user(TimedNames.Person())) }
      if number.isMultiple(of: 2) { warm.append(kind.typed(person)) } else { cold.append(kind.typed(person)) }
    }
    while unknown.count < 2 * count {
      let name = kind.typed(TimedNames.Person())
      // Of those that are offered the same as the users.
      let body =
        #"{"ClientId":"\#(pool.client)","AuthFlow":"USER_AUTH","AuthParameters":{"USERNAME":"\#(name)"}}"#
      let offered = try await pool.answer("InitiateAuth", body)["AvailableChallenges"]?.array ?? []
      if offered.contains(where: { $0.string == "EMAIL_OTP" }) { unknown.append(name) }
    }
  }

  /// Calls for all names, again and again, in an order that is drawn anew each time.
  func measure(_ call: TimedCall, _ count: Int) async throws -> SeenTimes {
    for name in warm {
      for _ in 0..<2 {
        try await pool.answer("AdminGetUser", #"{"UserPoolId":"\#(pool.id)","Username":"\#(name)"}"#)
      }
    }
    let names = warm + cold + unknown
    var times = [[Double]](repeating: [], count: names.count)
    var answers: (known: Set<EncodedAnswer>, unknown: Set<EncodedAnswer>) = ([], [])
    // The first round is for what is made once.
    for round in 0...count {
      for (number, place) in names.indices.shuffled().enumerated() {
        if number.isMultiple(of: 128) { try await pool.maintain() }
        let (time, answer) = try await call.time(names[place], pool, own, key)
        if call == .otherSession { try await pool.letTimePass(.seconds(40)) }
        guard round > 0 else { continue }
        times[place].append(time)
        if place < warm.count + cold.count {
          answers.known.insert(answer)
        } else {
          answers.unknown.insert(answer)
        }
      }
      // So that no limit is reached.
      try await pool.letTimePass(.seconds(3_700))
    }
    var seen = SeenTimes()
    seen.warm = Array(times.prefix(warm.count))
    seen.cold = Array(times.dropFirst(warm.count).prefix(cold.count))
    seen.unknown = Array(times.suffix(unknown.count))
    seen.answersDiffer = answers.known != answers.unknown
    return seen
  }

  func close() async throws {
    try await store.close()
    if let folder { try FileManager.default.removeItem(atPath: folder) }
  }
}
