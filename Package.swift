// swift-tools-version: 6.3
import PackageDescription

// MARK: Packages of others

// None is fetched for a product that does not need it: each of their products is behind the traits of ours. A product
// whose trait is not enabled cannot be built, and says so.

/// A trait and the products of other packages that it brings.
let traits: Set<Trait> = [
  .trait(name: "OpenIDConnect", description: "the product OpenIDConnect (swift-log, swift-metrics)"),
  .trait(name: "AsyncHTTPTransport", description: "the product AsyncHTTPTransport (async-http-client)"),
  .trait(
    name: "CInterface", description: "the product tokensecurity, a library for C (swift-log, swift-metrics)",
    enabledTraits: ["OpenIDConnect"]),
  .trait(
    name: "SigV4Credentials",
    description: "the product SigV4Credentials (async-http-client, swift-subprocess)",
    enabledTraits: ["AsyncHTTPTransport"]),
  .trait(
    name: "CognitoIdentity", description: "the product CognitoIdentity (swift-log, swift-metrics)",
    enabledTraits: ["OpenIDConnect"]),
  .trait(
    name: "RecordsSQLite",
    description:
      "the product RecordsSQLite, and what CognitoIdentity and CognitoSyncClient have for it (GRDB)"),
  .trait(
    name: "VerifyToken",
    description: "the commands verify-token and verify-token-fetch (swift-argument-parser)",
    enabledTraits: ["AsyncHTTPTransport", "OpenIDConnect"]),
  .trait(name: "PostgreSQL", description: "the product RecordsPostgreSQL (the system's libpq)"),
  .trait(
    name: "IdentityService", description: "the command identity-service (hummingbird, swift-subprocess)",
    enabledTraits: ["AsyncHTTPTransport", "CognitoIdentity", "PostgreSQL", "RecordsSQLite", "SigV4HTTPTypes"]),
]

/// Verifies Ed25519 with libsodium, which is faster than libcrypto. It brings no package and changes no verdict.
let sodium: Trait = .trait(name: "Sodium", description: "Ed25519 is verified by libsodium")

/// Checks the xxHash checksums of uploads to S3 with libxxhash. It brings no package. Without it they are refused.
let xxHash: Trait = .trait(
  name: "XXHash", description: "SigV4 checks S3's xxHash checksums (the system's libxxhash)")

/// Signs and verifies requests of swift-http-types with SigV4.
let httpTypes: Trait = .trait(
  name: "SigV4HTTPTypes", description: "SigV4 signs requests of another package (swift-http-types)")

/// Products of another package, for targets that need one of the traits.
func products(_ names: String..., of package: String, for traits: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: package, condition: .when(traits: Set(traits))) }
}

// MARK: Our modules

/// A folder of Sources with its targets. A module imports modules of its own layer and of lower ones.
func layer(_ folder: String, _ targets: [Target]) -> [Target] {
  for target in targets { target.path = "Sources/\(folder)/\(target.name)" }
  return targets
}

let base: [Target.Dependency] = ["TokenSecurityCrypto", "TokenSecurityBase"]

// Values, texts, time, cryptography.
let baseLayer = layer(
  "Base",
  [
    .systemLibrary(name: "CTokenSecurityOpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CTokenSecuritySodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CTokenSecurityXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .target(name: "TokenSecurityBase"),
    .target(name: "TokenSecurityPlatform"),
    .target(
      name: "TokenSecurityCrypto",
      dependencies: [
        "CTokenSecurityOpenSSL", "TokenSecurityBase", "TokenSecurityPlatform",
        .target(name: "CTokenSecuritySodium", condition: .when(traits: ["Sodium"])),
        .target(name: "CTokenSecurityXXHash", condition: .when(traits: ["XXHash"])),
      ]),
    .target(name: "TokenLifetime", dependencies: ["TokenSecurityBase", "TokenSecurityPlatform"]),
    .target(name: "TimestampFoundation", dependencies: ["TokenLifetime"]),
  ])

// Requests and responses, and the only libraries that send them.
let httpLayer = layer(
  "HTTP",
  [
    .systemLibrary(
      name: "CTokenSecurityCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "HTTPExchange", dependencies: ["TokenSecurityBase", "TokenSecurityPlatform"]),
    .target(
      name: "AsyncHTTPTransport",
      dependencies: [
        "HTTPExchange", "NeedsTraitAsyncHTTPTransport", "TokenSecurityBase", "TokenSecurityPlatform",
      ]
        + products("AsyncHTTPClient", of: "async-http-client", for: "AsyncHTTPTransport")
        + products("NIOCore", "NIOHTTP1", "NIOPosix", of: "swift-nio", for: "AsyncHTTPTransport")
        + products("NIOSSL", of: "swift-nio-ssl", for: "AsyncHTTPTransport")),
    .target(
      name: "CurlTransport",
      dependencies: ["CTokenSecurityCurl", "HTTPExchange", "TokenSecurityBase", "TokenSecurityPlatform"]),
  ])

// What standards and their providers specify.
let standardsLayer = layer(
  "Standards",
  [
    .systemLibrary(
      name: "CTokenSecurityQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CTokenSecurityStringprep", pkgConfig: "libidn", providers: [.apt(["libidn-dev"])]),
    .target(
      name: "AccessPolicies", dependencies: ["TokenLifetime", "TokenSecurityBase", "TokenSecurityPlatform"]),
    .target(name: "JOSE", dependencies: base + ["TokenSecurityPlatform", "TokenLifetime"]),
    .target(
      name: "SigV4",
      dependencies: base + ["HTTPExchange", "TokenLifetime", "TokenSecurityPlatform"]
        + products("HTTPTypes", of: "swift-http-types", for: "SigV4HTTPTypes")),
    .target(
      name: "SigV4Credentials",
      dependencies: [
        "AsyncHTTPTransport", "HTTPExchange", "NeedsTraitSigV4Credentials", "SigV4", "TokenSecurityCrypto",
      ]
        + products("Subprocess", of: "swift-subprocess", for: "SigV4Credentials")
        + products("SystemPackage", of: "swift-system", for: "SigV4Credentials")),
    .target(name: "OneTimeCodes", dependencies: base + ["TokenLifetime"]),
    .target(name: "OTPQRCode", dependencies: base + ["CTokenSecurityQRencode"]),
    .target(
      name: "PasswordPreparation", dependencies: base + ["TokenSecurityPlatform", "CTokenSecurityStringprep"]),
    .target(name: "SecureRemotePassword", dependencies: base + ["TokenLifetime"]),
    .target(
      name: "OpenIDConnect",
      dependencies: base + [
        "HTTPExchange", "JOSE", "NeedsTraitOpenIDConnect", "TokenLifetime", "TokenSecurityPlatform",
      ]
        + products("Logging", of: "swift-log", for: "OpenIDConnect")
        + products("Metrics", of: "swift-metrics", for: "OpenIDConnect")),
  ])

// The operations that services and clients share.
let protocolLayer = layer(
  "Protocol",
  [
    .target(name: "ServiceOperations", dependencies: base + ["HTTPExchange", "TokenLifetime"])
  ])

// Records of services.
let storeLayer = layer(
  "Store",
  [
    .systemLibrary(
      name: "CTokenSecurityPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "Records", dependencies: base + ["JOSE", "TokenLifetime", "TokenSecurityPlatform"]),
    .target(
      name: "RecordsPostgreSQL",
      dependencies: base + [
        "TokenSecurityPlatform",
        .target(name: "CTokenSecurityPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        "NeedsTraitPostgreSQL", "Records", "TokenLifetime",
      ]),
    .target(
      name: "RecordsSQLite",
      dependencies: [
        "NeedsTraitRecordsSQLite", "Records", "TokenLifetime", "TokenSecurityBase",
        "TokenSecurityPlatform",
      ] + products("GRDB", "GRDBSQLite", of: "GRDB.swift", for: "RecordsSQLite")),
  ])

// Services over records.
let servicesLayer = layer(
  "Services",
  [
    .target(
      name: "CognitoIdentity",
      dependencies: base + [
        "AccessPolicies", "JOSE", "NeedsTraitCognitoIdentity", "OpenIDConnect", "Records",
        "ServiceOperations", "SigV4",
        "TokenLifetime", .target(name: "RecordsSQLite", condition: .when(traits: ["RecordsSQLite"])),
      ] + products("GRDB", of: "GRDB.swift", for: "RecordsSQLite")),
    .target(
      name: "CognitoUserPool",
      dependencies: base + [
        "HTTPExchange", "JOSE", "OneTimeCodes", "Records", "SecureRemotePassword", "ServiceOperations",
        "TokenLifetime", "TokenSecurityPlatform",
      ]),
    .target(
      name: "CognitoSync",
      dependencies: base + [
        "CognitoIdentity", "HTTPExchange", "NeedsTraitCognitoIdentity", "Records", "ServiceOperations",
        "SigV4", "TokenLifetime", "TokenSecurityPlatform",
      ]),
  ])

// Clients of services.
let clientsLayer = layer(
  "Clients",
  [
    .target(
      name: "CognitoIdentityClient",
      dependencies: base + [
        "AccessPolicies", "HTTPExchange", "ServiceOperations", "SigV4", "TokenLifetime",
        "TokenSecurityPlatform",
      ]),
    .target(
      name: "CognitoUserPoolClient",
      dependencies: base + [
        "CognitoIdentityClient", "HTTPExchange", "NeedsTraitOpenIDConnect", "OneTimeCodes", "OpenIDConnect",
        "SecureRemotePassword", "ServiceOperations", "TokenLifetime", "TokenSecurityPlatform",
      ]),
    .target(
      name: "CognitoSyncClient",
      dependencies: [
        "CognitoIdentityClient", "HTTPExchange", "ServiceOperations", "SigV4", "TokenLifetime",
        "TokenSecurityBase", .target(name: "Records", condition: .when(traits: ["RecordsSQLite"])),
        .target(name: "RecordsSQLite", condition: .when(traits: ["RecordsSQLite"])),
        .target(name: "TokenSecurityCrypto", condition: .when(traits: ["RecordsSQLite"])),
      ]),
  ])

// Programs, their HTTP servers, and the library for programs in other languages.
let programsLayer = layer(
  "Programs",
  [
    .target(
      name: "ServiceHosting",
      dependencies: [
        "HTTPExchange", "NeedsTraitIdentityService", "TokenSecurityBase", "TokenSecurityPlatform",
      ]
        + products("HTTPTypes", of: "swift-http-types", for: "IdentityService")
        + products("Hummingbird", "HummingbirdCore", of: "hummingbird", for: "IdentityService")
        + products("Logging", of: "swift-log", for: "IdentityService")
        + products("CoreMetrics", of: "swift-metrics", for: "IdentityService")
        + products("NIOCore", "NIOHTTP1", "NIOPosix", of: "swift-nio", for: "IdentityService")
        + products("NIOHTTPTypes", "NIOHTTPTypesHTTP1", of: "swift-nio-extras", for: "IdentityService")
        + products("NIOSSL", of: "swift-nio-ssl", for: "IdentityService")
        + products("ServiceLifecycle", of: "swift-service-lifecycle", for: "IdentityService")),
    .target(
      name: "TokenSecurityC",
      dependencies: base + [
        "AccessPolicies", "CognitoIdentityClient", "HTTPExchange", "JOSE", "NeedsTraitCInterface",
        "OneTimeCodes", "OpenIDConnect",
        "SecureRemotePassword", "SigV4", "TokenLifetime", "TokenSecurityPlatform",
      ], exclude: ["include", "tokensecurity.map"]),
    .executableTarget(
      name: "identity-service",
      dependencies: base + [
        "AccessPolicies", "AsyncHTTPTransport", "CognitoIdentity", "CognitoSync", "CognitoUserPool",
        "HTTPExchange", "JOSE", "NeedsTraitIdentityService", "OpenIDConnect", "Records", "RecordsPostgreSQL",
        "RecordsSQLite",
        "ServiceHosting", "ServiceOperations", "SigV4", "TokenLifetime", "TokenSecurityPlatform",
      ] + products("ArgumentParser", of: "swift-argument-parser", for: "IdentityService")
        + products("HTTPTypes", of: "swift-http-types", for: "IdentityService")
        + products("Hummingbird", "HummingbirdCore", of: "hummingbird", for: "IdentityService")
        + products("Logging", of: "swift-log", for: "IdentityService")
        + products("CoreMetrics", "Metrics", of: "swift-metrics", for: "IdentityService")
        + products("NIOCore", "NIOPosix", of: "swift-nio", for: "IdentityService")
        + products("NIOSSL", of: "swift-nio-ssl", for: "IdentityService")
        + products("Subprocess", of: "swift-subprocess", for: "IdentityService")
        + products("SystemPackage", of: "swift-system", for: "IdentityService")
        + products("ServiceLifecycle", "UnixSignals", of: "swift-service-lifecycle", for: "IdentityService")),
    // The pages of docs/ with error codes, for verify-token.
    .target(name: "CTokenSecurityPages"),
    .executableTarget(
      name: "verify-token",
      dependencies: base + [
        "AccessPolicies", "CTokenSecurityPages", "JOSE", "NeedsTraitVerifyToken", "OneTimeCodes",
        "OpenIDConnect", "SigV4",
        "TokenLifetime",
        "TokenSecurityPlatform",
      ] + products("ArgumentParser", of: "swift-argument-parser", for: "VerifyToken")),
    .executableTarget(
      name: "verify-token-fetch",
      dependencies: [
        "AsyncHTTPTransport", "NeedsTraitVerifyToken", "TokenSecurityBase",
        "TokenSecurityPlatform",
      ]),
    .executableTarget(
      name: "verify-token-qr", dependencies: ["OTPQRCode", "TokenSecurityCrypto", "TokenSecurityPlatform"]),
    .executableTarget(
      name: "verify-token-serve",
      dependencies: base + [
        "AccessPolicies", "AsyncHTTPTransport", "CognitoIdentityClient", "HTTPExchange", "JOSE",
        "NeedsTraitIdentityService", "OpenIDConnect", "ServiceHosting", "SigV4", "TokenLifetime",
        "TokenSecurityPlatform",
      ] + products("HTTPTypes", of: "swift-http-types", for: "IdentityService")
        + products("Hummingbird", of: "hummingbird", for: "IdentityService")
        + products("Logging", of: "swift-log", for: "IdentityService")
        + products("Metrics", of: "swift-metrics", for: "IdentityService")
        + products("NIOCore", of: "swift-nio", for: "IdentityService")
        + products("ServiceLifecycle", "UnixSignals", of: "swift-service-lifecycle", for: "IdentityService")),
  ])

let modules = [
  baseLayer, httpLayer, standardsLayer, protocolLayer, storeLayer, servicesLayer, clientsLayer, programsLayer,
].flatMap { $0 }

// Each program is a product, and each library for users: not those of the programs, except the one for C, and not those whose
// names begin with `TokenSecurity`.
let products: [Product] =
  modules.compactMap { target in
    switch target.type {
    case .executable: .executable(name: target.name, targets: [target.name])
    case .regular
    where !target.name.hasPrefix("TokenSecurity") && target.path?.hasPrefix("Sources/Programs/") == false:
      .library(name: target.name, targets: [target.name])
    default: nil
    }
  } + [.library(name: "tokensecurity", type: .static, targets: ["TokenSecurityC"])]

// MARK: Tests

let tests: [Target] = [
  .systemLibrary(
    name: "CTokenSecurityLibJWT", path: "Tests/CTokenSecurityLibJWT", pkgConfig: "libjwt",
    providers: [.apt(["libjwt-dev"])]),
  .systemLibrary(name: "CTokenSecurityIndexStore", path: "Tests/CTokenSecurityIndexStore"),
  .target(
    name: "TokenSecurityVectorFiles", dependencies: ["TokenLifetime", "TokenSecurityBase"],
    path: "Tests/TokenSecurityVectorFiles"),
  .target(name: "TokenSecurityTesting", path: "Tests/TokenSecurityTesting"),
  .target(
    name: "SigningKeyTesting",
    dependencies: ["JOSE", "Records", "TokenSecurityCrypto", "TokenSecurityVectorFiles"],
    path: "Tests/SigningKeyTesting"),
  .target(
    name: "PostgreSQLTestServer",
    dependencies: ["RecordsPostgreSQL", "TokenSecurityPlatform", "TokenSecurityTesting"],
    path: "Tests/PostgreSQLTestServer"),
  .testTarget(
    name: "TokenSecurityBaseTests",
    dependencies: ["TokenSecurityBase", "TokenSecurityVectorFiles"]),
  .testTarget(
    name: "TokenSecurityCryptoTests",
    dependencies: base + ["TokenSecurityPlatform", "TokenSecurityVectorFiles"]),
  .testTarget(
    name: "AccessPoliciesTests",
    dependencies: ["AccessPolicies", "TokenSecurityBase", "TokenSecurityVectorFiles"]),
  .testTarget(name: "HTTPExchangeTests", dependencies: ["HTTPExchange"]),
  .testTarget(
    name: "TokenLifetimeTests",
    dependencies: ["TimestampFoundation", "TokenLifetime", "TokenSecurityPlatform"]),
  .testTarget(
    name: "JOSETests",
    dependencies: [
      "CTokenSecurityLibJWT", "JOSE", "SigningKeyTesting", "TimestampFoundation",
      "TokenSecurityVectorFiles",
    ]),
  .testTarget(
    name: "SigV4Tests",
    dependencies: base + ["HTTPExchange", "SigV4", "TokenLifetime", "TokenSecurityVectorFiles"]
      + products("HTTPTypes", of: "swift-http-types", for: "SigV4HTTPTypes")),
  .testTarget(
    name: "OneTimeCodesTests", dependencies: base + ["OneTimeCodes", "TokenSecurityVectorFiles"]),
  .testTarget(name: "OTPQRCodeTests", dependencies: base + ["OTPQRCode"]),
  .testTarget(
    name: "PasswordPreparationTests", dependencies: ["PasswordPreparation", "TokenSecurityCrypto"]),
  .testTarget(
    name: "SecureRemotePasswordTests",
    dependencies: base + ["SecureRemotePassword", "TokenSecurityVectorFiles"]),
  .testTarget(
    name: "SigV4CredentialsTests",
    dependencies: ["SigV4", "SigV4Credentials", "TokenSecurityCrypto"]),
  .testTarget(
    name: "OpenIDConnectTests",
    dependencies: [
      "HTTPExchange", "JOSE", "OpenIDConnect", "SigningKeyTesting", "TokenSecurityBase",
      "TokenSecurityCrypto", "TokenSecurityVectorFiles",
    ]
      + products("InMemoryLogging", "Logging", of: "swift-log", for: "OpenIDConnect")
      + products("CoreMetrics", "MetricsTestKit", of: "swift-metrics", for: "OpenIDConnect")),
  .testTarget(
    name: "AsyncHTTPTransportTests",
    dependencies: base + [
      "AsyncHTTPTransport", "CognitoIdentityClient", "CurlTransport", "HTTPExchange", "JOSE", "OpenIDConnect",
      "SigV4", "verify-token", "verify-token-fetch",
    ]
      + products("AsyncHTTPClient", of: "async-http-client", for: "AsyncHTTPTransport")
      + products("NIOCore", "NIOPosix", "NIOTLS", of: "swift-nio", for: "AsyncHTTPTransport")
      + products("NIOSSL", of: "swift-nio-ssl", for: "AsyncHTTPTransport")),
  .testTarget(
    name: "CognitoIdentityTests",
    dependencies: base + [
      "CognitoIdentity", "CognitoIdentityClient", "HTTPExchange", "JOSE", "OpenIDConnect",
      "PostgreSQLTestServer", "RecordsPostgreSQL", "RecordsSQLite", "ServiceOperations", "SigV4",
      "SigningKeyTesting", "TokenLifetime",
      "TokenSecurityVectorFiles",
    ] + products("GRDB", of: "GRDB.swift", for: "RecordsSQLite"), exclude: ["EarlierFiles"]),
  .testTarget(
    name: "CognitoSyncTests",
    dependencies: base + [
      "CognitoIdentity", "CognitoSync", "HTTPExchange", "PostgreSQLTestServer", "Records",
      "RecordsPostgreSQL", "RecordsSQLite", "ServiceOperations", "SigV4", "SigningKeyTesting",
      "TokenLifetime", "TokenSecurityPlatform", "TokenSecurityVectorFiles",
    ]),
  .testTarget(
    name: "CognitoSyncClientTests",
    dependencies: base + [
      "CognitoIdentity", "CognitoIdentityClient", "CognitoSync", "CognitoSyncClient", "HTTPExchange",
      "Records", "RecordsSQLite", "ServiceOperations", "SigV4", "TokenLifetime", "TokenSecurityVectorFiles",
    ]),
  .testTarget(
    name: "CognitoUserPoolTests",
    dependencies: base + [
      "CognitoUserPool", "JOSE", "OneTimeCodes", "PostgreSQLTestServer", "Records", "RecordsPostgreSQL",
      "RecordsSQLite", "SecureRemotePassword", "ServiceOperations", "SigningKeyTesting", "TokenLifetime",
      "TokenSecurityVectorFiles",
    ]),
  .testTarget(
    name: "RecordsTests",
    dependencies: base + [
      "TokenSecurityPlatform",
      "PostgreSQLTestServer", "Records", "RecordsPostgreSQL", "RecordsSQLite", "TokenLifetime",
      "TokenSecurityVectorFiles",
    ]
      + products("GRDB", of: "GRDB.swift", for: "RecordsSQLite")),
  .testTarget(
    name: "CognitoIdentityClientTests",
    dependencies: base + ["CognitoIdentityClient", "SigV4", "TokenLifetime"]),
  .testTarget(
    name: "CognitoUserPoolClientTests",
    dependencies: base + [
      "CognitoIdentityClient", "CognitoUserPool", "CognitoUserPoolClient", "HTTPExchange", "JOSE",
      "OneTimeCodes", "OpenIDConnect", "Records", "SecureRemotePassword", "ServiceOperations",
      "SigningKeyTesting", "TokenLifetime", "TokenSecurityPlatform",
    ]),
  .testTarget(
    name: "ServiceOperationsTests",
    dependencies: base + ["HTTPExchange", "ServiceOperations", "TokenLifetime", "TokenSecurityVectorFiles"]),
  .testTarget(
    name: "ServiceHostingTests",
    dependencies: ["HTTPExchange", "ServiceHosting", "TokenSecurityPlatform"]
      + products("HTTPTypes", of: "swift-http-types", for: "IdentityService")
      + products("Hummingbird", of: "hummingbird", for: "IdentityService")
      + products("Logging", of: "swift-log", for: "IdentityService")
      + products("NIOCore", "NIOEmbedded", "NIOPosix", of: "swift-nio", for: "IdentityService")),
  .testTarget(
    name: "CommandTests",
    dependencies: [
      "OneTimeCodes", "TokenSecurityBase", "TokenSecurityVectorFiles", "identity-service",
      "verify-token", "verify-token-fetch", "verify-token-qr", "verify-token-serve",
    ] + products("ArgumentParser", of: "swift-argument-parser", for: "VerifyToken"),
    exclude: ["Scripts", "Transcripts"]),
  .testTarget(
    name: "ArchitectureTests",
    // All libraries: it reads what the compiler says about them.
    dependencies: modules.filter { $0.type == .regular }.map { .byName(name: $0.name) }
      + ["CTokenSecurityIndexStore", "TokenSecurityVectorFiles"], exclude: ["Givens"]),
]

// MARK: The package

let package = Package(
  name: "token-security",
  products: products,
  traits: traits.union([sodium, xxHash, httpTypes]),
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: modules + tests
)

// The compiler's own message for a missing trait would be that of a missing module. These targets are built first.
for trait in traits.map(\.name).sorted() {
  package.targets.append(.target(name: "NeedsTrait\(trait)", path: "Sources/Base/TraitChecks/\(trait)"))
}

// The examples are packages of their own, or programs of a guide. Their sources are built with all others: that takes no more packages
// than FlyingFox.
if Context.environment["TOKEN_SECURITY_PEERS"] != nil {
  // For one example alone.
  package.dependencies.append(.package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"))
  package.targets += [
    .target(
      name: "BearerService",
      dependencies: ["OpenIDConnect"] + products("Hummingbird", of: "hummingbird", for: "IdentityService"),
      path: "Examples/bearer-service/Sources/BearerService"),
    .executableTarget(
      name: "bearer-service",
      dependencies: ["AsyncHTTPTransport", "BearerService", "OpenIDConnect"]
        + products("ArgumentParser", of: "swift-argument-parser", for: "VerifyToken"),
      path: "Examples/bearer-service/Sources/bearer-service"),
    .testTarget(
      name: "BearerServiceTests",
      dependencies: ["BearerService"]
        + products("HummingbirdTesting", of: "hummingbird", for: "IdentityService"),
      path: "Examples/bearer-service/Tests/BearerServiceTests"),
    .executableTarget(
      name: "sign-in",
      dependencies: [
        "AsyncHTTPTransport", "CognitoIdentityClient", "CognitoUserPoolClient", "OTPQRCode", "SigV4",
      ] + products("ArgumentParser", of: "swift-argument-parser", for: "VerifyToken"),
      path: "Examples/sign-in/Sources/sign-in"),
    .executableTarget(
      name: "call-an-api",
      dependencies: ["AsyncHTTPTransport", "CognitoIdentityClient", "HTTPExchange", "SigV4"],
      path: "Examples/own-api/Sources/call-an-api"),
    .executableTarget(
      name: "verify-in-hummingbird",
      dependencies: ["AsyncHTTPTransport", "OpenIDConnect"]
        + products("Hummingbird", of: "hummingbird", for: "IdentityService"),
      path: "Examples/hummingbird"),
    .executableTarget(
      name: "verify-in-flyingfox",
      dependencies: [
        "CurlTransport", "OpenIDConnect", .product(name: "FlyingFox", package: "FlyingFox"),
      ], path: "Examples/flyingfox"),
  ]
  package.targets.append(
    .executableTarget(
      name: "readme-program", dependencies: ["CurlTransport", "OpenIDConnect"], path: "Examples/readme",
      exclude: ["main.c", "main.py"]))
  let uses: [(String, [Target.Dependency])] = [
    ("check-a-one-time-code", ["OneTimeCodes"]),
    ("get-temporary-credentials", ["AsyncHTTPTransport", "CognitoIdentityClient", "SigV4"]),
    ("issue-a-token", ["JOSE"]),
    ("limit-a-lifetime", ["TokenLifetime"]),
    ("prove-a-password", ["SecureRemotePassword"]),
    ("sign-a-request", ["SigV4"]),
    ("sign-a-user-in", ["AsyncHTTPTransport", "CognitoUserPoolClient"]),
    ("verify-a-request", ["SigV4"]),
    ("verify-a-token", ["JOSE"]),
    ("verify-tokens-of-a-provider", ["AsyncHTTPTransport", "OpenIDConnect"]),
  ]
  for (name, dependencies) in uses {
    package.targets.append(
      .executableTarget(name: name, dependencies: dependencies, path: "Examples/uses/\(name)"))
  }
}

// Programs that the tests of interoperability and of instruction counts start. `make` asks for them; those who link the
// package never see them.
if Context.environment["TOKEN_SECURITY_PEERS"] != nil {
  package.targets += [
    .executableTarget(
      name: "peer",
      dependencies: base + [
        "AccessPolicies", "AsyncHTTPTransport", "CognitoIdentityClient", "CognitoSyncClient",
        "CognitoUserPoolClient", "JOSE", "OneTimeCodes", "Records", "RecordsPostgreSQL", "RecordsSQLite",
        "SecureRemotePassword",
        "ServiceOperations", "SigV4", "SigV4Credentials", "TokenLifetime", "TokenSecurityPlatform",
      ], path: "Tests/Interop/Peer"),
    .target(name: "CTokenSecurityMarks", path: "Tests/Instructions/CTokenSecurityMarks"),
    .executableTarget(
      name: "instruction-probe",
      dependencies: base + [
        "AccessPolicies", "CTokenSecurityMarks", "CognitoIdentity", "CognitoIdentityClient",
        "CognitoSyncClient", "CognitoUserPool", "JOSE", "OneTimeCodes", "OpenIDConnect", "RecordsSQLite",
        "SecureRemotePassword",
        "ServiceOperations", "SigV4", "SigningKeyTesting", "TokenLifetime",
      ], path: "Tests/Instructions/Probe"),
  ]
}

// Waiting, programs and sizes are the same for all tests.
for target in package.targets where target.type == .test {
  target.dependencies.append("TokenSecurityTesting")
}

// `make sodium` and `make test MODULES=…` build the tests of some modules alone.
if let tests = Context.environment["TOKEN_SECURITY_TESTS"] {
  let names = tests.split(separator: " ").map(String.init)
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

for target in package.targets where target.type != .system && target.path?.hasPrefix("Examples/") != true {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
}
