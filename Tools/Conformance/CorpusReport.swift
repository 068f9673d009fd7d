import FoundationEssentials

/// How one corpus fared.
struct CorpusReport {
    struct Row {
        let group: String
        let count: Int
        let asExpected: Int
    }

    let name: String
    let promise: String
    let findings: [Finding]

    init(_ corpus: any Corpus, _ files: Files) {
        name = corpus.name
        promise = corpus.promise
        findings = corpus.findings(files)
    }

    /// One row for each kind of file, in the order in which they came.
    var rows: [Row] {
        var groups: [String] = []
        for finding in findings where !groups.contains(finding.group) {
            groups.append(finding.group)
        }
        return groups.map { group in
            let members = findings.filter { $0.group == group }
            return Row(
                group: group, count: members.count,
                asExpected: members.count { $0.isAsExpected })
        }
    }

    var deviations: [Finding] { findings.filter { !$0.isAsExpected } }

    /// Deviations for which there is no reason in the list.
    var unexplained: [Finding] { deviations.filter { reason($0) == nil } }

    func reason(_ finding: Finding) -> String? {
        KnownDeviations.reason(corpus: name, file: finding.file)
    }
}
