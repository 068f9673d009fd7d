public import FoundationEssentials
public import VitrineHTTP

/// Names and passwords for servers that ask for them (`Basic` and `Digest`).
///
/// They count for loads that begin later; what is under way goes on as it began. A request with an
/// `Authorization` header of its own, or a user in its URL, does not use them. What a load with a
/// credential brings is kept apart for its user: no other user, and nobody without one, gets it from a
/// cache. A new password keeps the user's cache. A wrong one is `.status(401)` at once.
extension ImageLoader {
    /// Answers challenges of the servers whose URLs are asked for, whichever they are; nil answers
    /// none.
    ///
    /// It is never sent unasked, nor to another origin to which a server redirects.
    public func setCredential(_ credential: Credential?) {
        engine.credentialing.setForChallenges(credential)
    }

    /// Answers challenges of the origin of `url`: its scheme, host and port. It goes before that of the
    /// whole loader, and is used after a redirect to that origin, too. Nil takes it away.
    ///
    /// - Throws: ``ImageError`` for a URL that is not one of HTTP.
    public func setCredential(
        _ credential: Credential?, forOriginOf url: URL
    ) throws(ImageError) {
        do throws(TransportError) {
            try engine.credentialing.set(credential, forOriginOf: url)
        } catch {
            throw ImageError(.transport(error), url: url)
        }
    }

    /// Takes all credentials away.
    public func removeCredentials() { engine.credentialing.removeAll() }
}
