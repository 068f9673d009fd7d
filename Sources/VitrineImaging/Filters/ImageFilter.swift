/// A named, pure step from one picture to another.
///
/// The ``identifier`` is part of cache keys: two filters with the same one must do the same, and it
/// must be the same in every run of the program. Built-in filters form theirs from their exact values.
///
/// ```swift
/// struct Mirrored: ImageFilter {
///     let identifier = "mirrored"
///     func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer { … }
/// }
/// ```
public protocol ImageFilter: Sendable {
    /// The exact name of what the filter does, values included.
    var identifier: String { get }

    /// The filtered picture; `frame` itself if nothing changes.
    ///
    /// It may block and is called off the main thread, on several threads at once. Lengths of a filter
    /// are points; `scale` is pixels for each point.
    func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer

    /// The filter that does the same for a view which shows the picture at this size, in points.
    ///
    /// Whoever binds pictures to views calls it before the picture is asked for. Only a filter that has
    /// a ``FilterSize/viewSize``, or holds other filters, need have its own; the others are what they
    /// are.
    func resolved(viewSize: PointSize) -> any ImageFilter
}

extension ImageFilter {
    /// The filter itself.
    public func resolved(viewSize: PointSize) -> any ImageFilter { self }

    /// Applies the filter; a foreign error becomes one that names the filter.
    func applyReportingFailure(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        do {
            return try apply(to: frame, scale: scale)
        } catch let error as ImagingError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch let error as VipsFailure {
            throw ImagingError.filterFailed(identifier: identifier, reason: error.message)
        } catch {
            throw ImagingError.filterFailed(identifier: identifier, reason: "\(error)")
        }
    }
}
