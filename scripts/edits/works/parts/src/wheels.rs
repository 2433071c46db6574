//! Wheels, behind a trait.

pub trait Wheel: Sync {
    fn teeth(&self, n: u64) -> u64;
}

pub struct Small;
pub struct Large(pub u64);

impl Wheel for Small {
    fn teeth(&self, n: u64) -> u64 {
        n.wrapping_mul(8)
    }
}

impl Wheel for Large {
    fn teeth(&self, n: u64) -> u64 {
        n.wrapping_mul(n + 3) / self.0
    }
}

pub static WHEELS: [&dyn Wheel; 2] = [&Small, &Large(2)];
