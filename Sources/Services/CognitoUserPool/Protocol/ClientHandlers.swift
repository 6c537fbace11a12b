internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of operations on app clients.

extension AppClients {
  func addHandlers(to table: inout Handlers) {
    table.on(CreateUserPoolClient.self) { (input, context) throws(UserPoolError) in
      let client = try response(try await createClient(input, context))
      context.subject.warn(of: input.settings, .client)
      return UserPoolClientOutput { $0.userPoolClient = client }
    }
    table.on(DescribeUserPoolClient.self) { (input, context) throws(UserPoolError) in
      let client = try response(try await describeClient(input, at: context.time))
      return UserPoolClientOutput { $0.userPoolClient = client }
    }
    table.on(UpdateUserPoolClient.self) { (input, context) throws(UserPoolError) in
      let client = try response(try await updateClient(input, context))
      context.subject.warn(of: input.settings, .client)
      return UserPoolClientOutput { $0.userPoolClient = client }
    }
    table.on(DeleteUserPoolClient.self) { (input, context) throws(UserPoolError) in
      try await deleteClient(input, context)
      return NoMembers()
    }
    table.on(ListUserPoolClients.self) { (input, context) throws(UserPoolError) in
      let page = try await listClients(
        ofPool: input.userPoolID, size: PageTokens.size(input.maxResults), token: input.nextToken,
        at: context.time)
      // No client registers itself.
      let clients = input.clientType == .dcr ? [] : page.elements
      return ListUserPoolClients.Output {
        $0.userPoolClients = clients.map { client in
          UserPoolClientDescription {
            $0.clientID = client.id
            $0.userPoolID = client.poolID
            $0.clientName = client.name
          }
        }
        $0.nextToken = input.clientType == .dcr ? nil : page.next
      }
    }
  }
}
