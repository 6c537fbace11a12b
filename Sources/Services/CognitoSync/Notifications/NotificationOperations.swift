internal import ServiceOperations

/// AWS's Simple Notification Service, as far as push messages need it.
let notifications = ServiceDeclaration(
  "Amazon Simple Notification Service", signingName: "sns",
  .query(version: "2010-03-31", namespace: "http://sns.amazonaws.com/doc/2010-03-31/"),
  [CreatePlatformEndpoint.self, SetEndpointAttributes.self, DeleteEndpoint.self, Publish.self])

extension TextBounds {
  /// An ARN in a response: what is stored of it is bounded.
  fileprivate static let endpointARN = TextBounds(1...2_048)
}

/// Makes a device's endpoint, or returns the one that its token has.
enum CreatePlatformEndpoint: ServiceOperation {
  static let declaration = OperationDeclaration(
    "CreatePlatformEndpoint", .developer(.administering, .all), "Makes the endpoint of a device.")

  struct Input: Structure {
    var applicationARN = ""
    var token = ""

    mutating func members(_ m: inout Members) {
      m.required("PlatformApplicationArn", &applicationARN, .any)
      m.required("Token", &token, .any.sensitive)
    }
  }

  struct Output: Structure {
    var endpointARN = ""

    mutating func members(_ m: inout Members) { m.required("EndpointArn", &endpointARN, .endpointARN) }
  }
}

/// Changes an endpoint.
enum SetEndpointAttributes: ServiceOperation {
  static let declaration = OperationDeclaration(
    "SetEndpointAttributes", .developer(.administering, .all), "Changes an endpoint.")

  struct Input: Structure {
    var endpointARN = ""
    var attributes: [ExactString: String] = [:]

    mutating func members(_ m: inout Members) {
      m.required("EndpointArn", &endpointARN, .endpointARN)
      m.required("Attributes", &attributes, MapBounds(keys: .any, values: TextBounds.any))
    }
  }
}

/// Removes an endpoint. One that does not exist is not an error.
enum DeleteEndpoint: ServiceOperation {
  static let declaration = OperationDeclaration(
    "DeleteEndpoint", .developer(.administering, .all), "Removes an endpoint.")

  struct Input: Structure {
    var endpointARN = ""

    mutating func members(_ m: inout Members) { m.required("EndpointArn", &endpointARN, .endpointARN) }
  }
}

/// Sends a message to an endpoint.
enum Publish: ServiceOperation {
  static let declaration = OperationDeclaration(
    "Publish", .developer(.administering, .all), "Sends a message to an endpoint.")

  struct Input: Structure {
    var targetARN = ""
    var message = ""
    /// `json`: the message has a text for each platform.
    var structure = "json"

    mutating func members(_ m: inout Members) {
      m.required("TargetArn", &targetARN, .endpointARN)
      m.required("Message", &message, .any)
      m.required("MessageStructure", &structure, .any)
    }
  }
}
