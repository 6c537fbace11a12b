var bytes: [UInt8] {
  get { given() }
  set {}
}
var id: String { given() }
var body: [UInt8] { given() }
var size: Int { given() }
var upload: AsyncStream<[UInt8]> { given() }
var piece: [UInt8] { given() }

func send(_ bytes: [UInt8]) {}
func send<Head>(_ head: Head, _ body: [UInt8]) {}
