//! Instructions that take as long as many others.

use std::collections::{BTreeMap, HashMap};

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use tourbillon_present::counted;
use tourbillon_present::number::count;
use tourbillon_stepper::Trace;

use crate::images::Images;

/// A kind of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Atomic,
    Division,
    FloatDivision,
    Repeated,
    Fence,
    Pause,
    Counter,
    Random,
}

impl Kind {
    /// About what one takes where others wait for it, in nanoseconds (uops.info: cycles of processors since 2019, at
    /// 3 GHz). A repeated one takes as long as its length; this is that of some 32 KiB.
    fn about_ns(self) -> f64 {
        match self {
            // 18 to 20 cycles on Intel, 8 to 17 on AMD.
            Kind::Atomic => 6.0,
            // 10 to 18 cycles, of 64 bits on older ones up to 90.
            Kind::Division => 5.0,
            // 11 to 20 cycles.
            Kind::FloatDivision => 4.0,
            Kind::Repeated => 1_000.0,
            // 30 cycles and more; `cpuid` leaves a virtual machine.
            Kind::Fence => 10.0,
            // 40 to 140 cycles.
            Kind::Pause => 30.0,
            // 20 to 40 cycles.
            Kind::Counter => 10.0,
            // Hundreds of cycles.
            Kind::Random => 300.0,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Kind::Atomic => "atomic instruction",
            Kind::Division => "division",
            Kind::FloatDivision => "floating-point division",
            Kind::Repeated => "repeated instruction",
            Kind::Fence => "fence",
            Kind::Pause => "pause",
            Kind::Counter => "reading of the counter",
            Kind::Random => "hardware random number",
        }
    }

    /// That of an instruction; `None` of most.
    fn of(instruction: &Instruction) -> Option<Kind> {
        use Mnemonic as M;
        let of_memory = [instruction.op0_kind(), instruction.op1_kind()].contains(&OpKind::Memory);
        if instruction.has_lock_prefix() {
            return Some(Kind::Atomic);
        }
        if instruction.is_string_instruction() {
            let repeats = instruction.has_rep_prefix() || instruction.has_repne_prefix();
            return repeats.then_some(Kind::Repeated);
        }
        match instruction.mnemonic() {
            // With memory it is atomic without the prefix.
            M::Xchg if of_memory => Some(Kind::Atomic),
            M::Div | M::Idiv => Some(Kind::Division),
            M::Divss
            | M::Divsd
            | M::Divps
            | M::Divpd
            | M::Vdivss
            | M::Vdivsd
            | M::Vdivps
            | M::Vdivpd
            | M::Sqrtss
            | M::Sqrtsd
            | M::Sqrtps
            | M::Sqrtpd
            | M::Vsqrtss
            | M::Vsqrtsd
            | M::Vsqrtps
            | M::Vsqrtpd
            | M::Fdiv
            | M::Fdivp
            | M::Fdivr
            | M::Fdivrp
            | M::Fsqrt => Some(Kind::FloatDivision),
            M::Mfence | M::Lfence | M::Serialize | M::Cpuid => Some(Kind::Fence),
            M::Pause | M::Tpause => Some(Kind::Pause),
            M::Rdtsc | M::Rdtscp => Some(Kind::Counter),
            M::Rdrand | M::Rdseed => Some(Kind::Random),
            _ => None,
        }
    }
}

/// How many of each kind an op executes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Costly(pub(crate) BTreeMap<Kind, u64>);

impl Costly {
    /// Those of an op.
    pub(crate) fn new(steps: &Trace, images: &Images<'_>) -> Costly {
        let mut kinds: HashMap<u64, Option<Kind>> = HashMap::new();
        let mut counts = BTreeMap::new();
        for step in &steps.steps {
            let kind = *kinds.entry(step.address).or_insert_with(|| {
                let code = images.code(images.place(step.address)?);
                let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
                decoder
                    .can_decode()
                    .then(|| Kind::of(&decoder.decode()))
                    .flatten()
            });
            if let Some(kind) = kind {
                *counts.entry(kind).or_default() += step.count;
            }
        }
        Costly(counts)
    }

    pub(crate) fn count(&self, kind: Kind) -> u64 {
        self.0.get(&kind).copied().unwrap_or(0)
    }

    /// About what all of them take.
    pub(crate) fn about_ns(&self) -> f64 {
        let all = self.0.iter();
        all.map(|(kind, count)| kind.about_ns() * *count as f64)
            .sum()
    }
}

/// `64 divisions instead of 0`, of those that differ, the ones that take most first.
pub(crate) fn text([before, now]: [&Costly; 2]) -> String {
    let kinds = before.0.keys().chain(now.0.keys());
    let mut differing: Vec<Kind> = kinds
        .copied()
        .filter(|kind| before.count(*kind) != now.count(*kind))
        .collect();
    differing.sort_unstable();
    differing.dedup();
    differing.sort_by(|one, other| {
        let taken =
            |kind: &Kind| before.count(*kind).abs_diff(now.count(*kind)) as f64 * kind.about_ns();
        taken(other).total_cmp(&taken(one))
    });
    let each = differing.iter().take(2).map(|kind| {
        let now = counted(now.count(*kind), kind.noun());
        format!("{now} instead of {}", count(before.count(*kind)))
    });
    Vec::from_iter(each).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_have_kinds() {
        for (code, expected) in [
            // lock cmpxchg [rdi], esi
            (&[0xF0, 0x0F, 0xB1, 0x37][..], Some(Kind::Atomic)),
            // xchg [rdi], eax, and xchg edi, esi
            (&[0x87, 0x07], Some(Kind::Atomic)),
            (&[0x87, 0xF7], None),
            // div rsi, and vdivsd xmm0, xmm0, xmm1
            (&[0x48, 0xF7, 0xF6], Some(Kind::Division)),
            (&[0xC5, 0xFB, 0x5E, 0xC1], Some(Kind::FloatDivision)),
            // rep movsb, and movsb
            (&[0xF3, 0xA4], Some(Kind::Repeated)),
            (&[0xA4], None),
            // pause, rdtsc, rdrand eax, mfence
            (&[0xF3, 0x90], Some(Kind::Pause)),
            (&[0x0F, 0x31], Some(Kind::Counter)),
            (&[0x0F, 0xC7, 0xF0], Some(Kind::Random)),
            (&[0x0F, 0xAE, 0xF0], Some(Kind::Fence)),
            // imul edi, esi; rep ret
            (&[0x0F, 0xAF, 0xFE], None),
            (&[0xF3, 0xC3], None),
        ] {
            let instruction = Decoder::new(64, code, DecoderOptions::NONE).decode();
            assert_eq!(Kind::of(&instruction), expected, "{code:x?}");
        }
    }

    #[test]
    fn those_that_differ_are_named() {
        let before = Costly([(Kind::Division, 3), (Kind::Atomic, 2)].into());
        let now = Costly([(Kind::Division, 3), (Kind::Atomic, 1), (Kind::Random, 1)].into());
        assert_eq!(
            text([&before, &now]),
            "1 hardware random number instead of 0, 1 atomic instruction instead of 2"
        );
        assert_eq!(text([&now, &now]), "");
        assert!(now.about_ns() > before.about_ns());
    }
}
