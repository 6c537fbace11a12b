extension AttributeType {
  package init(_ name: String, _ value: String?) {
    self.init()
    self.name = name
    self.value = value
  }
}
