//! A picture of which a part is read.

#[derive(Clone)]
pub struct Picture {
    pub points: [u8; 32_768],
}

pub fn brightness(picture: &Picture) -> u32 {
    let own = picture;
    let read = std::hint::black_box(own);
    read.points.iter().step_by(512).map(|p| u32::from(*p)).sum()
}
