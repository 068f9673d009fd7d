/// What becomes of the picture of another source, once a view is to show a new one.
public enum PreviousPicture: Sendable, Hashable {
    /// It goes at once; the placeholder comes when the grace period has passed. The default.
    case cleared
    /// It stays for the grace period, so that nothing flickers if the new picture is quickly there.
    case keptForGracePeriod
    /// It stays until the new picture is there, and when that fails.
    case kept
}

/// What a view does about its picture while it is not shown.
public enum HiddenView: Sendable {
    /// It waits until it is shown, and gives a load that runs up when it is hidden. The default.
    case waits
    /// It lets somebody else get the picture into memory meanwhile, last of all and a few at a time: for
    /// the rows of a list just outside of what is to be seen.
    case prefetches(ImagePrefetcher)
    /// It loads as if it were shown.
    case loads
}
