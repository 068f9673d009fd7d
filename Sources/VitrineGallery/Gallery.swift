import CGTK
import Dispatch
import Glibc
import Vitrine
import VitrineGTK

/// The `vitrine-gallery` program: shows pictures from URLs, files, folders and lists in a window.
@main
struct Gallery {
    /// How a run of the program ends.
    private enum Status: Int32 {
        case success = 0
        /// The window could not be shown, or its picture not be written.
        case failure = 1
        /// The command line made no sense.
        case usage = 2
    }

    /// Synchronous, since GLib's loop has to run on the thread with which the program began.
    @MainActor
    static func main() {
        do throws(UsageError) {
            let arguments = try GalleryArguments(Array(CommandLine.arguments.dropFirst()))
            switch arguments.purpose {
            case .showHelp: print(GalleryArguments.help)
            case .showVersions: print(versions)
            case .showPictures:
                var reader = SourceReader()
                reader.readsPipes = true
                for word in arguments.sources { try reader.add(word) }
                if let shown = arguments.shown, shown >= reader.items.count {
                    let count = reader.items.count
                    throw UsageError(
                        "There is no picture \(shown + 1) to show: there are \(count).")
                }
                exit(show(reader.items, arguments).rawValue)
            }
        } catch {
            complain("vitrine-gallery: \(error)")
            exit(Status.usage.rawValue)
        }
    }

    @MainActor
    private static func show(_ items: [GalleryItem], _ arguments: GalleryArguments) -> Status {
        let interruption = Interruption()
        guard gtk_init_check() != 0 else {
            complain("vitrine-gallery: There is no display on which a window could be shown.")
            return .failure
        }
        do throws(MainLoop.AttachError) {
            try MainLoop.attach()
        } catch {
            complain("vitrine-gallery: \(error)")
            return .failure
        }
        Style.use()
        if arguments.style != .ofDesktop { Style.isDark = arguments.style == .dark }
        g_set_prgname("vitrine-gallery")
        g_set_application_name("Gallery")

        guard let application = gtk_application_new("org.vitrine.Gallery", G_APPLICATION_NON_UNIQUE)
        else {
            complain("vitrine-gallery: GTK could not be started.")
            return .failure
        }
        defer { g_object_unref(application) }
        let originsAhead = OriginsAhead()
        var configuration = ImageLoader.Configuration.gallery
        configuration.observer = originsAhead
        let loader = ImageLoader(configuration)
        var window: GalleryWindow?
        var status = Status.success
        connect(application.opaque, "activate") { _ in
            let made = GalleryWindow(application, loader, originsAhead, arguments)
            window = made
            made.show(items, opening: arguments.shown)
            guard let path = arguments.screenshot else { return }
            let screenshot = Screenshot(of: made, to: path) { isWritten in
                if !isWritten {
                    complain("vitrine-gallery: \(path) cannot be written.")
                    status = .failure
                }
                g_application_quit(application.cast())
            }
            Task { await screenshot.take() }
        }
        interruption.quits(application)
        _ = g_application_run(application.cast(), 0, nil)
        window?.close()
        window = nil
        keep(loader)
        interruption.endIfInterrupted()
        return status
    }

    /// What has arrived is put on disk, for the next time, if that takes no more than a second.
    private static func keep(_ loader: ImageLoader) {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await loader.waitUntilIdle()
            done.signal()
        }
        _ = done.wait(timeout: .now() + 1)
    }

    private static func complain(_ sentence: String) {
        var text = sentence + "\n"
        text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    }

    private static var versions: String {
        let gtk = [gtk_get_major_version(), gtk_get_minor_version(), gtk_get_micro_version()]
        return "vitrine-gallery \(ImageLoader.version)\n"
            + ImageLoader.libraryVersions.map { "\($0.name) \($0.version)\n" }.joined()
            + "GTK " + gtk.map(String.init).joined(separator: ".")
    }
}

extension ImageLoader.Configuration {
    /// Much memory for thumbnails, since one scrolls back and forth; those that were made once are kept on
    /// disk too.
    fileprivate static var gallery: ImageLoader.Configuration {
        var configuration = ImageLoader.Configuration()
        configuration.diskCache = .standard(applicationID: "vitrine")
        configuration.memoryCapacity = 300_000_000
        configuration.memoryPurgeTarget = 250_000_000
        configuration.storesProcessedImages = true
        // What came into sight last is wanted first.
        configuration.downloadOrder = .lifo
        return configuration
    }
}
