// What a caller of `import VitrineGTK` needs to name: requests, loaders, filters.
@_exported public import Vitrine
