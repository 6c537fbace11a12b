@_exported public import PolicyDocuments
