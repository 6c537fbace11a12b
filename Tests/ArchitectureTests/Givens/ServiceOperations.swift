import HTTPExchange
import ServiceOperations

var identityPools: ServiceDeclaration { given() }
var transport: any HTTPTransport { given() }
var service: MyService { given() }
var pool: String { given() }

struct MyService {
  func getID(_ input: GetID.Input, _ call: Call) async throws(OperationError) -> GetID.Output { given() }
}

struct Call {}

enum GetID: ServiceOperation {
  static var declaration: OperationDeclaration { given() }

  struct Input: Structure {
    var poolID = ""

    func members(_ m: inout Members) {}
  }

  typealias Output = NoMembers
}
