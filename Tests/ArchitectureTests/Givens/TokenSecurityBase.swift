var text: String { given() }
