extension Arguments {
    /// The arguments of a command; nil if they ask for its help, which is then said.
    static func unlessHelp(
        _ words: [String], _ syntax: CommandSyntax, _ terminal: Terminal
    ) throws(UsageError) -> Arguments? {
        let arguments = try Arguments(words, syntax)
        guard arguments.has("--help") else { return arguments }
        terminal.say(syntax.help)
        return nil
    }
}
