//! Settings of plots, which are accepted and have no effect.

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default)]
pub enum AxisScale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic.
    Logarithmic,
}

/// How plots of a group are drawn.
#[derive(Clone, Debug, Default)]
pub struct PlotConfiguration {
    summary_scale: AxisScale,
}

impl PlotConfiguration {
    /// The scale of the axes of summaries.
    #[must_use]
    pub fn summary_scale(mut self, new_scale: AxisScale) -> PlotConfiguration {
        self.summary_scale = new_scale;
        self
    }
}

/// What draws plots.
#[derive(Clone, Copy, Debug)]
pub enum PlottingBackend {
    /// Gnuplot.
    Gnuplot,
    /// Plotters.
    Plotters,
    /// Nothing is drawn.
    None,
}
