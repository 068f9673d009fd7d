// What a test names of what it scripts.
@_exported public import Vitrine
@_exported public import enum VitrineHTTP.HTTP
@_exported public import protocol VitrineHTTP.Transport
