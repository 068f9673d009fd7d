/// Runs `body` on the main actor, with what GTK has handed to a callback: the one place where pointers pass
/// from its C to ours.
///
/// GTK makes its calls on the main thread only, and what it hands over stays there until the call returns,
/// which the compiler cannot know. On another thread the program ends.
func onMainActor<Value, Result: Sendable>(
    with value: Value, _ body: @MainActor (Value) -> Result
) -> Result {
    nonisolated(unsafe) let value = value
    return MainActor.assumeIsolated { body(value) }
}
