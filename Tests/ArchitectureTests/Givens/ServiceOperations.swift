import HTTPExchange
import ServiceOperations

var transport: any HTTPTransport { given() }
var service: MyService { given() }
var pool: String { given() }

struct MyService {
  func getID(_ input: GetID.Input, _ call: Call) async throws(OperationError) -> GetID.Output { given() }
}

struct Call {}
