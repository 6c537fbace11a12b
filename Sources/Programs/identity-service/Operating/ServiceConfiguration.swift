internal import ArgumentParser
internal import TokenSecurityBase

/// The service's settings, in the groups of `serve --help`. Each is declared in its group only: its name, default and
/// help text.
///
/// The property `requestTimeout` is the flag `--request-timeout`, the variable
/// `IDENTITY_SERVICE_REQUEST_TIMEOUT` of the environment and the member `requestTimeout` of the settings
/// file. The flag of a list is its singular: `--host`. Code names settings as `self.port`: they are members of groups.
@dynamicMemberLookup
struct ServiceConfiguration: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "A JSON file with settings, for instance {\"port\": 8008, \"hosts\": [\"id.example\"]}.",
      valueName: "file"),
    completion: .file())
  var config: String?

  @OptionGroup(title: "Data") private var dataOptions: StoredDataOptions
  @OptionGroup(title: "Address and TLS") private var listenerOptions: ListenerOptions
  @OptionGroup(title: "Proxies and web pages") private var reachingOptions: ReachingOptions
  @OptionGroup(title: "Login providers") private var loginProviderOptions: LoginProviderOptions
  @OptionGroup(title: "Limits") private var limitOptions: LimitOptions
  @OptionGroup(title: "Keys and logs") private var keyOptions: KeyOptions
  @OptionGroup(title: "Messages and functions") private var messageOptions: MessageOptions
  @OptionGroup(title: "PostgreSQL") private var nodeOptions: NodeOptions

  /// The values of the groups, in their order.
  var groups: [any ParsableArguments] {
    [
      dataOptions, listenerOptions, reachingOptions, loginProviderOptions, limitOptions, keyOptions,
      messageOptions, nodeOptions,
    ]
  }

  /// The groups without values.
  static var emptyGroups: [any ParsableArguments] {
    [
      StoredDataOptions(), ListenerOptions(), ReachingOptions(), LoginProviderOptions(), LimitOptions(),
      KeyOptions(), MessageOptions(), NodeOptions(),
    ]
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<StoredDataOptions, Value>) -> Value {
    get { dataOptions[keyPath: setting] }
    set { dataOptions[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<ListenerOptions, Value>) -> Value {
    get { listenerOptions[keyPath: setting] }
    set { listenerOptions[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<ReachingOptions, Value>) -> Value {
    get { reachingOptions[keyPath: setting] }
    set { reachingOptions[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<LoginProviderOptions, Value>) -> Value {
    get { loginProviderOptions[keyPath: setting] }
    set { loginProviderOptions[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<LimitOptions, Value>) -> Value {
    get { limitOptions[keyPath: setting] }
    set { limitOptions[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<KeyOptions, Value>) -> Value {
    get { keyOptions[keyPath: setting] }
    set { keyOptions[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<MessageOptions, Value>) -> Value {
    get { messageOptions[keyPath: setting] }
    set { messageOptions[keyPath: setting] = newValue }
  }

  subscript<Value>(dynamicMember setting: WritableKeyPath<NodeOptions, Value>) -> Value {
    get { nodeOptions[keyPath: setting] }
    set { nodeOptions[keyPath: setting] = newValue }
  }
}
