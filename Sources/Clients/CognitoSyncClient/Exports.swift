// The types in this module's public interface: identities, their credentials, HTTP transports, and platforms.
@_exported public import CognitoIdentityClient
@_exported public import HTTPExchange
@_exported public import enum ServiceOperations.PushPlatform
