import Glibc

extension MemoryPressure {
    /// The files through which the system tells that memory is short.
    package struct Files: Sendable {
        /// A file of the kernel's pressure stall information, and what is asked of it.
        package struct Stall: Sendable {
            package var path: String
            /// For example `some 140000 2000000`: at least so many microseconds of so many.
            package var trigger: String
            /// What it means when that happens.
            package var level: Level
            /// What `poll` reports then.
            package var readiness: Int16

            package init(
                path: String, trigger: String, level: Level, readiness: Int16 = Int16(POLLPRI)
            ) {
                self.path = path
                self.trigger = trigger
                self.level = level
                self.readiness = readiness
            }
        }

        package var stalls: [Stall]
        /// The folder of a control group; nil for none.
        package var group: String?

        package init(stalls: [Stall], group: String?) {
            self.stalls = stalls
            self.group = group
        }

        /// Those of the system and of the process's own control group.
        ///
        /// A warning is that somebody waited for memory during 7 % of two seconds, critical is that nobody
        /// could work during 10 % of them. Who is not root may ask for multiples of two seconds only.
        package static var system: Files {
            let group = ControlGroup.own?.path
            let places = ["/proc/pressure/memory"] + (group.map { [$0 + "/memory.pressure"] } ?? [])
            return Files(
                stalls: places.flatMap {
                    [
                        Stall(path: $0, trigger: "some 140000 2000000", level: .warning),
                        Stall(path: $0, trigger: "full 200000 2000000", level: .critical),
                    ]
                }, group: group)
        }
    }
}
