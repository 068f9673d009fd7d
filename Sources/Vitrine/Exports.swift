// What a caller of `import Vitrine` needs to name, and nothing of the layers between.
@_exported public import VitrineImaging
@_exported public import struct FoundationEssentials.Data
@_exported public import struct FoundationEssentials.Date
@_exported public import struct FoundationEssentials.URL
@_exported public import enum VitrineBase.LoadPriority
@_exported public import struct VitrineHTTP.AddressRule
@_exported public import enum VitrineHTTP.CacheExpiry
@_exported public import enum VitrineHTTP.CachePolicy
@_exported public import struct VitrineHTTP.CookieJar
@_exported public import struct VitrineHTTP.Credential
@_exported public import enum VitrineHTTP.HTTPVersionChoice
@_exported public import enum VitrineHTTP.TransportError
@_exported public import enum VitrineHTTP.TransportProxy
@_exported public import struct VitrineHTTP.TransportSecurity
@_exported public import enum VitrineStorage.CacheDropReason
@_exported public import class VitrineStorage.DiskStore
@_exported public import enum VitrineStorage.DiskStoreError
@_exported public import enum VitrineStorage.MemoryPressure
