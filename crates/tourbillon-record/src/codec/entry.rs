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
        let unknown = self.write(&mut writer);
        writer.finish(unknown)
    }
}

impl<'r> Entry<'r> {
    /// Writes all but what is not known, which it returns.
    #[inline(never)]
    fn write(self, writer: &mut Writer) -> &'r str {
        match self {
            Entry::Header(header) => {
                header::write(writer, header);
                &header.unknown
            }
            Entry::Case(case) => {
                case::write(writer, case);
                &case.unknown
            }
            Entry::Visit(visit) => {
                visit::write(writer, visit);
                &visit.unknown
            }
            Entry::Memory(memory) => {
                memory::write(writer, memory);
                &memory.unknown
            }
            Entry::Fault(fault) => {
                fault::write(writer, fault);
                &fault.unknown
            }
            Entry::Result(result) => {
                result::write(writer, result);
                &result.unknown
            }
            Entry::Rounds(rounds) => {
                rounds::write(writer, rounds);
                &rounds.unknown
            }
            Entry::Verdict(verdict) => {
                verdict::write(writer, verdict);
                &verdict.unknown
            }
            Entry::End(end) => {
                end::write(writer, end);
                &end.unknown
            }
        }
    }
}
