//! What an x86 processor states about itself: its name, and whether it is a guest's.

use std::arch::x86_64::CpuidResult;

/// The name of a processor, and how a hypervisor names itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessorName {
    /// Such as `GenuineIntel`.
    pub vendor: String,
    /// Such as `13th Gen Intel(R) Core(TM) i7-1360P`; empty where it states none.
    pub model: String,
    /// Family, with its extension.
    pub family: u32,
    /// Number of the model, with its extension.
    pub model_number: u32,
    /// Revision.
    pub stepping: u32,
    /// The hypervisor's own name, such as `KVMKVMKVM`; `None` on a real machine, and in the root partition of
    /// Hyper-V, which is the Windows that the machine was started with.
    pub hypervisor: Option<String>,
}

/// What the processor states.
#[must_use]
pub fn processor_name() -> ProcessorName {
    #[expect(
        unused_unsafe,
        reason = "safe to call in newer compilers, unsafe in the oldest supported"
    )]
    // SAFETY: every x86-64 processor has the instruction.
    read(|number| unsafe { std::arch::x86_64::__cpuid(number) })
}

fn read(leaf: impl Fn(u32) -> CpuidResult) -> ProcessorName {
    let (name, numbers) = (leaf(0), leaf(1).eax);
    let parts = match leaf(0x8000_0000).eax {
        0x8000_0004.. => (0x8000_0002..=0x8000_0004).map(&leaf).collect(),
        _ => Vec::new(),
    };
    let parts = parts.iter();
    let brand: Vec<u32> = parts
        .flat_map(|part| [part.eax, part.ebx, part.ecx, part.edx])
        .collect();
    let bits = |from: u32, count: u32| numbers >> from & ((1 << count) - 1);
    // The extension of the family counts for family 15 only, that of the model for 6 and 15 (Intel SDM
    // volume 2A, CPUID; AMD's family 15 and later).
    let family = bits(8, 4);
    let extended = |extension: u32| if family == 15 { extension } else { 0 };
    let model = if matches!(family, 6 | 15) {
        bits(16, 4) << 4 | bits(4, 4)
    } else {
        bits(4, 4)
    };
    ProcessorName {
        vendor: text(&[name.ebx, name.edx, name.ecx]),
        model: text(&brand),
        family: family + extended(bits(20, 8)),
        model_number: model,
        stepping: bits(0, 4),
        hypervisor: hypervisor(&leaf),
    }
}

fn hypervisor(leaf: &impl Fn(u32) -> CpuidResult) -> Option<String> {
    if leaf(1).ecx >> 31 == 0 {
        return None;
    }
    let name = leaf(0x4000_0000);
    let text = text(&[name.ebx, name.ecx, name.edx]);
    // The right to create partitions (Hypervisor Top Level Functional Specification, 2.4.4).
    let is_root = text == "Microsoft Hv" && leaf(0x4000_0003).ebx & 1 == 1;
    (!is_root).then_some(text)
}

/// Characters as the registers hold them, up to a 0, without blanks around them.
fn text(registers: &[u32]) -> String {
    let bytes = registers.iter().flat_map(|register| register.to_le_bytes());
    let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(text: &str) -> [u32; 4] {
        let mut bytes = [0; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        [word(0), word(4), word(8), word(12)]
    }

    fn result([eax, ebx, ecx, edx]: [u32; 4]) -> CpuidResult {
        CpuidResult { eax, ebx, ecx, edx }
    }

    /// A recorded processor, as a guest of a hypervisor or with these rights on Hyper-V.
    fn machine(numbers: u32, guest_of: &'static str, rights: u32) -> ProcessorName {
        read(|leaf| match leaf {
            0 => {
                let [b, d, c, _] = registers("GenuineIntel");
                result([22, b, c, d])
            }
            1 => result([numbers, 0, u32::from(!guest_of.is_empty()) << 31, 0]),
            0x4000_0000 => {
                let [b, c, d, _] = registers(guest_of);
                result([0x4000_0010, b, c, d])
            }
            0x4000_0003 => result([0, rights, 0, 0]),
            0x8000_0000 => result([0x8000_0008, 0, 0, 0]),
            0x8000_0002 => result(registers("  Intel(R) Core(")),
            0x8000_0003 => result(registers("TM) i5 CPU")),
            _ => result([0; 4]),
        })
    }

    #[test]
    fn a_processor_is_named() {
        let found = machine(0x0008_06EA, "", 0);
        assert_eq!(found.vendor, "GenuineIntel");
        assert_eq!(found.model, "Intel(R) Core(TM) i5 CPU");
        let numbers = (found.family, found.model_number, found.stepping);
        assert_eq!(numbers, (6, 142, 10));
        assert_eq!(found.hypervisor, None);
        // AMD's family 25.
        let found = machine(0x00A1_0F11, "", 0);
        let numbers = (found.family, found.model_number, found.stepping);
        assert_eq!(numbers, (25, 17, 1));
    }

    #[test]
    fn a_guest_knows_its_hypervisor() {
        let of = |name, rights| machine(0, name, rights).hypervisor;
        assert_eq!(of("KVMKVMKVM", 0).as_deref(), Some("KVMKVMKVM"));
        assert_eq!(of("Microsoft Hv", 2).as_deref(), Some("Microsoft Hv"));
        assert_eq!(of("Microsoft Hv", 1), None);
    }

    #[test]
    fn this_processor_states_its_vendor() {
        assert!(!processor_name().vendor.is_empty());
    }
}
