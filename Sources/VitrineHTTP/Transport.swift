/// Makes exactly one exchange with a server.
public protocol Transport: Sendable {
    /// Sends the request and returns when the head of the final response is there.
    ///
    /// Any status is a response, not an error; a redirect is reported, never followed. When the Swift
    /// task is cancelled, the exchange ends at once, name resolution included.
    ///
    /// - Throws: ``TransportError``, also from the body of the response later on.
    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response
}
