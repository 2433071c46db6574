#[cfg(feature = "memory")]
use super::memory;
use super::{case, end, fault, header, result, rounds, verdict, visit};
use crate::Entry;
use crate::json::Writer;

impl Entry<'_> {
    /// Writes the line as one JSON object, without a newline.
    ///
    /// A number that is not finite is written as `null`: absent where the field may be absent;
    /// elsewhere a reader refuses the line. The JSON text of `unknown` fields goes out as it
    /// stands: it has to be what a reader was given.
    pub fn encode(self) -> String {
        let mut writer = Writer::new();
        let unknown = match self {
            Entry::Header(header) => {
                header::write(&mut writer, header);
                &header.unknown
            }
            Entry::Case(case) => {
                case::write(&mut writer, case);
                &case.unknown
            }
            Entry::Visit(visit) => {
                visit::write(&mut writer, visit);
                &visit.unknown
            }
            #[cfg(feature = "memory")]
            Entry::Memory(memory) => {
                memory::write(&mut writer, memory);
                &memory.unknown
            }
            Entry::Fault(fault) => {
                fault::write(&mut writer, fault);
                &fault.unknown
            }
            Entry::Result(result) => {
                result::write(&mut writer, result);
                &result.unknown
            }
            Entry::Rounds(rounds) => {
                rounds::write(&mut writer, rounds);
                &rounds.unknown
            }
            Entry::Verdict(verdict) => {
                verdict::write(&mut writer, verdict);
                &verdict.unknown
            }
            Entry::End(end) => {
                end::write(&mut writer, end);
                &end.unknown
            }
        };
        writer.finish(unknown)
    }
}
