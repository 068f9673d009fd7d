public import VitrineHTTP

/// What a ``ScriptedTransport`` answers to a request.
///
/// ```swift
/// transport.answer(url, with: .bytes(png, headers: ["Cache-Control": "max-age=60"]).delayed(by: .seconds(1)))
/// ```
public struct ScriptedAnswer: Sendable {
    /// A step on the way to the end of the body.
    enum Step: Sendable {
        case sleep(Duration)
        case pass(Gate)
    }

    /// What comes at last.
    enum Outcome: Sendable {
        case response(status: Int, headers: HTTP.Headers, chunks: [Data], failure: TransportError?)
        case failure(TransportError)
    }

    /// What is waited for before the head comes.
    var before: [Step] = []
    var outcome: Outcome
    /// What is waited for before each chunk but the first one.
    var between: [Step] = []

    /// A response with this body and its `Content-Length`.
    public static func bytes(
        _ data: Data, status: Int = 200, headers: [String: String] = [:]
    ) -> ScriptedAnswer {
        var fields = HTTP.Headers()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields.add(name, value) }
        if !fields.contains("Content-Length") { fields.add("Content-Length", "\(data.count)") }
        return ScriptedAnswer(
            outcome: .response(status: status, headers: fields, chunks: [data], failure: nil))
    }

    /// A response without a body.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> ScriptedAnswer {
        bytes(Data(), status: status, headers: headers)
    }

    /// A redirect (RFC 9110 §15.4).
    public static func redirect(to url: URL, status: Int = 302) -> ScriptedAnswer {
        self.status(status, headers: ["Location": url.absoluteString])
    }

    /// No response: the exchange fails.
    public static func failure(_ error: TransportError) -> ScriptedAnswer {
        ScriptedAnswer(outcome: .failure(error))
    }

    /// The same, after so much time of the transport's clock.
    public func delayed(by duration: Duration) -> ScriptedAnswer {
        var answer = self
        answer.before.insert(.sleep(duration), at: 0)
        return answer
    }

    /// The same, once the gate is open.
    public func held(by gate: Gate) -> ScriptedAnswer {
        var answer = self
        answer.before.insert(.pass(gate), at: 0)
        return answer
    }

    /// The same, its body in chunks of so many bytes, at least 1.
    public func chunked(by count: Int) -> ScriptedAnswer {
        mapResponse { chunks, failure in
            let all = chunks.reduce(Data(), +)
            let size = max(1, count)
            chunks = stride(from: 0, to: all.count, by: size).map {
                all.dropFirst($0).prefix(size)
            }
        }
    }

    /// The same, with so much time of the transport's clock before each chunk but the first one.
    public func pausing(for duration: Duration) -> ScriptedAnswer {
        var answer = self
        answer.between.append(.sleep(duration))
        return answer
    }

    /// The same, with the gate before each chunk but the first one.
    public func pausing(at gate: Gate) -> ScriptedAnswer {
        var answer = self
        answer.between.append(.pass(gate))
        return answer
    }

    /// The same, but after so many bytes of the body the exchange fails.
    public func failing(
        after count: Int, with error: TransportError = .connectionLost(received: 0)
    ) -> ScriptedAnswer {
        mapResponse { chunks, failure in
            var rest = max(0, count)
            chunks = chunks.compactMap { chunk in
                let part = chunk.prefix(rest)
                rest -= part.count
                return part.isEmpty ? nil : part
            }
            failure = error
        }
    }

    private func mapResponse(
        _ change: (inout [Data], inout TransportError?) -> Void
    ) -> ScriptedAnswer {
        guard case .response(let status, let headers, var chunks, var failure) = outcome else {
            return self
        }
        change(&chunks, &failure)
        var answer = self
        answer.outcome = .response(
            status: status, headers: headers, chunks: chunks, failure: failure)
        return answer
    }
}
