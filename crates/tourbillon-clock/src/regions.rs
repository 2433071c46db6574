/// Somebody who is told where timed regions begin and end, by the
/// [`watched`](crate::Clock::watched) clock that is read there.
///
/// So whatever else there is to know about a region, such as what it allocates, is known of exactly
/// what is timed, with every pause left out, and no timed loop has anything in it for that.
///
/// Told by whichever thread reads the clock: regions of several threads may overlap.
pub trait Regions: std::fmt::Debug + Sync {
    /// A region is about to begin: before the clock is read.
    #[inline]
    fn before(&self) {}

    /// A region begins: the last thing before its code.
    fn begin(&self);

    /// A region ends: the first thing after its code.
    fn end(&self);

    /// A region has ended: after the clock was read.
    #[inline]
    fn after(&self) {}
}
