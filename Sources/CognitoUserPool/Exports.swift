// The types in this module's public interface: operations and stores.
@_exported public import CognitoUserPoolOperations
@_exported public import Records
