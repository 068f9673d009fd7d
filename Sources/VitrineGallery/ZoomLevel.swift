/// How large a picture is shown.
struct ZoomLevel: Equatable {
    /// Screen pixels for each pixel of the picture; nil is as the window has room, but not larger than
    /// the picture.
    private(set) var factor: Double?

    /// As the window has room.
    static let fit = ZoomLevel(factor: nil)
    /// One pixel for each.
    static let actualSize = ZoomLevel(factor: 1)

    private static let steps = [
        0.05, 0.1, 0.15, 0.2, 0.25, 1 / 3.0, 0.5, 2 / 3.0, 0.75, 1, 1.5, 2, 3, 4, 6, 8,
    ]

    /// The next larger step. `fitted` is what fitting comes to just now.
    func zoomedIn(fitted: Double) -> ZoomLevel {
        let now = factor ?? fitted
        return ZoomLevel(factor: Self.steps.first { $0 > now * 1.01 } ?? max(now, 8))
    }

    /// The next smaller step; the window's size once the picture is no larger than that.
    func zoomedOut(fitted: Double) -> ZoomLevel {
        guard let now = factor, let next = Self.steps.last(where: { $0 < now * 0.99 }),
            next > fitted
        else { return .fit }
        return ZoomLevel(factor: next)
    }

    /// The same, but so that no side is longer than what can be drawn.
    func bounded(longerSide: Double) -> ZoomLevel {
        guard let factor, longerSide > 0 else { return self }
        return ZoomLevel(factor: min(factor, max(1, 30_000 / longerSide)))
    }

    /// Between the window and one pixel for each: what a double click does.
    func toggled(fitted: Double) -> ZoomLevel {
        guard factor == nil else { return .fit }
        return ZoomLevel(factor: fitted < 0.95 ? 1 : 2)
    }

    /// `67 %`.
    func percent(fitted: Double) -> String {
        "\(Int(min(max(((factor ?? fitted) * 100).rounded(), 1), 9999))) %"
    }
}
