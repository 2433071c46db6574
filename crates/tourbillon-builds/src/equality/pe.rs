//! What is loaded of a PE file: its headers and sections, without dates, sums and what names the file of symbols.

use object::pe::{
    IMAGE_DEBUG_TYPE_CODEVIEW, IMAGE_DEBUG_TYPE_REPRO, IMAGE_DIRECTORY_ENTRY_DEBUG,
    IMAGE_SCN_MEM_EXECUTE, ImageDebugDirectory,
};
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile64};
use object::{LittleEndian, pod};

use super::image::{Image, blank, part};

/// From the start of the headers that the one of DOS names: the date, then the place and the number of symbols; and the
/// sum of the file.
const CHANGING: [(usize, usize); 2] = [(8, 12), (24 + 64, 4)];
/// In the description of a piece of debug information: its date.
const DATE: usize = 4;

pub(super) fn image(file: &[u8]) -> Option<Image> {
    let pe = PeFile64::parse(file).ok()?;
    let mut plain = file.to_vec();
    let headers = pe.dos_header().nt_headers_offset() as usize;
    for (start, length) in CHANGING {
        blank(&mut plain, headers + start, length)?;
    }
    if let Some(directory) = pe.data_directory(IMAGE_DIRECTORY_ENTRY_DEBUG) {
        let (start, length) = directory.file_range(&pe.section_table()).ok()?;
        let entries = part(file, start.into(), length.into())?;
        let size = size_of::<ImageDebugDirectory>();
        for at in (0..entries.len() / size).map(|number| number * size) {
            let (entry, _) = pod::from_bytes::<ImageDebugDirectory>(&entries[at..]).ok()?;
            blank(&mut plain, start as usize + at + DATE, 4)?;
            // A GUID and the path of the file of symbols; a hash of all inputs.
            let kind = entry.typ.get(LittleEndian);
            if matches!(kind, IMAGE_DEBUG_TYPE_CODEVIEW | IMAGE_DEBUG_TYPE_REPRO) {
                let place = entry.pointer_to_raw_data.get(LittleEndian) as usize;
                blank(
                    &mut plain,
                    place,
                    entry.size_of_data.get(LittleEndian) as usize,
                )?;
            }
        }
    }
    let mut image = Image::default();
    let header = pe.nt_headers().optional_header();
    image.add(part(&plain, 0, header.size_of_headers().into())?);
    for section in pe.section_table().iter() {
        let (start, length) = section.pe_file_range();
        let part = part(&plain, start.into(), length.into())?;
        if section.characteristics.get(LittleEndian) & IMAGE_SCN_MEM_EXECUTE == 0 {
            image.add(part);
        } else {
            image.add_code(part);
        }
        image.note_address(section.virtual_address.get(LittleEndian).into(), part);
    }
    image.addresses.base = header.image_base();
    Some(image)
}

#[cfg(test)]
mod tests {
    use object::pe::{IMAGE_FILE_MACHINE_AMD64, IMAGE_SUBSYSTEM_WINDOWS_CUI, ImageDebugDirectory};
    use object::write::pe::{NtHeaders, Writer};

    use super::*;

    /// A program with this code, date and file of symbols.
    fn program(code: u8, date: u32, symbols: &[u8; 8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut writer = Writer::new(true, 0x1000, 0x200, &mut file);
        writer.reserve_dos_header();
        writer.reserve_nt_headers(16);
        writer.reserve_section_headers(2);
        let text = writer.reserve_text_section(16);
        let size = size_of::<ImageDebugDirectory>();
        let data = writer.reserve_rdata_section((size + symbols.len()) as u32);
        writer.set_data_directory(
            IMAGE_DIRECTORY_ENTRY_DEBUG,
            data.virtual_address,
            size as u32,
        );
        writer.write_empty_dos_header().expect("a header");
        writer.write_nt_headers(NtHeaders {
            machine: IMAGE_FILE_MACHINE_AMD64,
            time_date_stamp: date,
            characteristics: 0,
            major_linker_version: 0,
            minor_linker_version: 0,
            address_of_entry_point: text.virtual_address,
            image_base: 0x1_4000_0000,
            major_operating_system_version: 0,
            minor_operating_system_version: 0,
            major_image_version: 0,
            minor_image_version: 0,
            major_subsystem_version: 0,
            minor_subsystem_version: 0,
            subsystem: IMAGE_SUBSYSTEM_WINDOWS_CUI,
            dll_characteristics: 0,
            size_of_stack_reserve: 0,
            size_of_stack_commit: 0,
            size_of_heap_reserve: 0,
            size_of_heap_commit: 0,
        });
        writer.write_section_headers();
        writer.write_section(text.file_offset, &[code; 16]);
        let mut directory = [0; size_of::<ImageDebugDirectory>()];
        for (at, value) in [
            (4, date),
            (12, u32::from(IMAGE_DEBUG_TYPE_CODEVIEW as u16)),
            (16, symbols.len() as u32),
            (20, data.virtual_address + size as u32),
            (24, data.file_offset + size as u32),
        ] {
            directory[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        writer.write_section(data.file_offset, &[&directory[..], symbols].concat());
        file
    }

    #[test]
    fn dates_and_files_of_symbols_do_not_count() {
        let of = |code, date, symbols: &[u8; 8]| image(&program(code, date, symbols));
        let expected = of(1, 7, b"/one.pdb");
        assert!(expected.is_some());
        assert_eq!(of(1, 8, b"/two.pdb"), expected);
        assert_ne!(of(2, 7, b"/one.pdb"), expected);
    }
}
