import VitrineHTTP

/// What may succeed when it is tried again, by method and failure.
///
/// What has happened before anything was sent may be repeated whatever the method. All else is repeated
/// only where asking twice does no more than asking once (RFC 9110, section 9.2.2), since nobody knows
/// what the server has done.
enum RetryTable {
    enum Verdict: Sendable, Hashable {
        /// It will fail again, or must not be repeated by anybody but the caller.
        case never
        /// It may succeed, and repeating it does no harm where the method is idempotent.
        case ifIdempotent
        /// It may succeed, and the server has done nothing yet.
        case always
    }

    static func mayHelp(
        after reason: ImageError.Reason, method: HTTP.Method, serverSaysWhen: Bool
    ) -> Bool {
        switch verdict(reason, serverSaysWhen: serverSaysWhen) {
        case .never: false
        case .ifIdempotent: method.isIdempotent
        case .always: true
        }
    }

    static func verdict(_ reason: ImageError.Reason, serverSaysWhen: Bool) -> Verdict {
        switch reason {
        case .status(let status): verdict(status: status, serverSaysWhen: serverSaysWhen)
        case .transport(let error): verdict(error)
        // The same bytes decode in the same way, and a filter is a function of its picture.
        case .imaging: .never
        // The server says what it has, and has nothing else.
        case .contentType: .never
        // Nothing there depends on a network that may come back.
        case .invalidURL, .unsupportedScheme, .file, .invalidScale, .unknownGroup,
            .groupNameTooLong:
            .never
        // The policy is the caller's, and so are the time and the modifier, which may try by itself.
        case .cancelled, .cacheMiss, .deadlinePassed, .modifier: .never
        }
    }

    /// RFC 9110, section 15, and RFC 6585, RFC 8470.
    private static func verdict(status: Int, serverSaysWhen: Bool) -> Verdict {
        switch status {
        // The server had enough of waiting for the request, and says that it may be repeated.
        case 408: .ifIdempotent
        // The server feared a replayed request and has not looked at it.
        case 425: .always
        // It was refused for coming too soon, so it was not acted on.
        case 429: .always
        // A fault that may be that of one process of many.
        case 500: .ifIdempotent
        // A gateway has met one that is being restarted, or none.
        case 502, 504: .ifIdempotent
        // Overload or maintenance; one who says when to come back has refused it knowingly.
        case 503: serverSaysWhen ? .always : .ifIdempotent
        // All others say something about the request, and that stays as it is. 501, 505 and 511 too:
        // the server cannot, and a network that wants a log-in needs a person.
        default: .never
        }
    }

    private static func verdict(_ error: TransportError) -> Verdict {
        switch error {
        // The resolver does not tell a name that is wrong from one that cannot be looked up while a
        // network comes up; nothing was sent.
        case .dns: .always
        // A server that restarts refuses for a moment; nothing was sent.
        case .connect: .always
        case .timeout(.connect, _): .always
        // The server, or the way to it, has fallen silent: another connection may take another way.
        case .timeout(.idle, _): .ifIdempotent
        // That time was given for all of it, and is over.
        case .timeout(.total, _): .never
        // What was slow for a minute is slow in the next one, too, and costs as much again.
        case .tooSlow: .never
        // It broke in the middle.
        case .truncated, .connectionLost: .ifIdempotent
        // More often a fault of the settings than of the network, and a fault must be seen.
        case .proxy: .never
        // A certificate does not become valid by asking again, and a fault must be seen.
        case .tls: .never
        // A server that breaks the protocol, or leads in circles, does so again.
        case .badResponse, .headerTooLarge, .tooManyRedirects, .redirectLoop, .redirectRefused:
            .never
        // It would be as large again, and the rules are the same.
        case .bodyTooLarge, .addressForbidden, .unsupportedScheme: .never
        // These are faults of the request.
        case .invalidURL, .invalidRequest: .never
        // A full disk is not emptied by loading more.
        case .storage: .never
        case .cacheMiss, .cancelled, .shutDown: .never
        // Nobody knows what it is, so nobody knows that it passes.
        case .other: .never
        }
    }
}
