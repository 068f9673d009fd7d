/// The photo in every format that is measured; made by a script.
struct PhotoFiles {
    let workplace: Workplace

    init(workplace: Workplace) throws {
        self.workplace = workplace
        _ = try Program(
            name: workplace.python,
            arguments: [
                "\(workplace.scripts)/formats.py", workplace.photos[0],
                "\(workplace.folder)/photos",
            ]
        ).run()
    }

    /// The file of this kind, by the end of its name.
    func path(_ kind: String) -> String { "\(workplace.folder)/photos/all.\(kind)" }
}
