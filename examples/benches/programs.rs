//! Libraries that real programs use, on real input: the sources of this workspace and what cargo
//! says about it.
//!
//! The input grows with the workspace: compare the rates of different revisions, not the times.

use std::process::ExitCode;

fn main() -> ExitCode {
    tourbillon::main()
}

mod json {
    use examples::workspace::METADATA;
    use serde_json::Value;
    use tourbillon::{Bencher, Bytes, bench};

    /// The parsed metadata, which must name this workspace's own packages.
    fn parsed() -> Result<Value, String> {
        let metadata = METADATA
            .parse::<Value>()
            .map_err(|error| error.to_string())?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let mut names = packages.filter_map(|package| package["name"].as_str());
        if names.any(|name| name == "tourbillon") {
            Ok(metadata)
        } else {
            Err("wrong metadata: no package is named tourbillon".to_owned())
        }
    }

    /// From text to a tree. Dropping the tree is not timed.
    #[bench]
    fn parse(b: Bencher<'_>) -> Result<(), String> {
        parsed()?;
        let text = METADATA;
        b.throughput(Bytes(text.len() as u64))
            .iter(move || text.parse::<Value>());
        Ok(())
    }

    /// The same, and dropping the tree.
    #[bench]
    fn parse_and_drop(b: Bencher<'_>) -> Result<(), String> {
        parsed()?;
        let text = METADATA;
        b.throughput(Bytes(text.len() as u64))
            .drop_inside()
            .iter(move || text.parse::<Value>());
        Ok(())
    }

    /// From a tree to text.
    #[bench]
    fn print(b: Bencher<'_>) -> Result<(), String> {
        let metadata = parsed()?;
        let text = metadata.to_string();
        if text.parse::<Value>().ok().as_ref() != Some(&metadata) {
            return Err("wrong text: it does not read back as what was printed".to_owned());
        }
        b.throughput(Bytes(text.len() as u64))
            .iter(|| metadata.to_string());
        Ok(())
    }
}

mod search {
    use examples::check::equal;
    use examples::workspace::sources;
    use memchr::memmem::Finder;
    use regex::bytes::Regex;
    use tourbillon::{Bencher, Bytes, bench};

    const NEEDLE: &str = "Result<";
    const PATTERN: &str = r"fn [a-z_]+\(";

    /// Counts by trying every place.
    fn places(text: &[u8], matches_at: impl Fn(&[u8]) -> bool) -> usize {
        (0..text.len())
            .filter(|&place| matches_at(&text[place..]))
            .count()
    }

    /// Whether `text` begins with what [`PATTERN`] describes.
    fn begins_with_function(text: &[u8]) -> bool {
        let Some(name) = text.strip_prefix(b"fn ") else {
            return false;
        };
        let end = name
            .iter()
            .position(|byte| !matches!(byte, b'a'..=b'z' | b'_'));
        end.is_some_and(|end| end > 0 && name[end] == b'(')
    }

    /// Measures `count`, which must find `expected` occurrences in the sources.
    fn measure(
        b: Bencher<'_>,
        expected: impl Fn(&[u8]) -> usize,
        count: impl Fn(&str) -> usize,
    ) -> Result<(), String> {
        let text = sources()?;
        let found = count(&text);
        equal("number of matches", found, expected(text.as_bytes()))?;
        if found == 0 {
            return Err("nothing to find: the sources hold no match".to_owned());
        }
        b.throughput(Bytes(text.len() as u64)).iter(|| count(&text));
        Ok(())
    }

    #[bench]
    fn memmem(b: Bencher<'_>) -> Result<(), String> {
        let finder = Finder::new(NEEDLE);
        measure(
            b,
            |text| places(text, |rest| rest.starts_with(NEEDLE.as_bytes())),
            |text| finder.find_iter(text.as_bytes()).count(),
        )
    }

    #[bench(reference)]
    fn std_matches(b: Bencher<'_>) -> Result<(), String> {
        measure(
            b,
            |text| places(text, |rest| rest.starts_with(NEEDLE.as_bytes())),
            |text| text.matches(NEEDLE).count(),
        )
    }

    #[bench]
    fn regex(b: Bencher<'_>) -> Result<(), String> {
        let pattern = Regex::new(PATTERN).map_err(|error| error.to_string())?;
        measure(
            b,
            |text| places(text, begins_with_function),
            |text| pattern.find_iter(text.as_bytes()).count(),
        )
    }
}

mod hash {
    use std::hash::{DefaultHasher, Hasher};

    use examples::check::equal;
    use examples::workspace::sources;
    use tourbillon::{Bencher, Bytes, bench};
    use xxhash_rust::xxh3::{Xxh3, xxh3_64};

    /// Measures `hash` on the sources, whose hash must be `expected`.
    fn measure(
        b: Bencher<'_>,
        hash: impl Fn(&[u8]) -> u64,
        expected: impl Fn(&[u8]) -> u64,
    ) -> Result<(), String> {
        let text = sources()?.into_bytes();
        equal("hash", hash(&text), expected(&text))?;
        b.throughput(Bytes(text.len() as u64)).iter(|| hash(&text));
        Ok(())
    }

    /// What `hasher` makes of `text` when it gets it in pieces.
    fn in_pieces(mut hasher: impl Hasher, text: &[u8]) -> u64 {
        text.chunks(1_000).for_each(|piece| hasher.write(piece));
        hasher.finish()
    }

    #[bench]
    fn xxh3(b: Bencher<'_>) -> Result<(), String> {
        // The value that the algorithm's description gives for no bytes at all.
        equal("hash of nothing", xxh3_64(b""), 0x2d06_8005_38d3_94c2)?;
        measure(b, xxh3_64, |text| in_pieces(Xxh3::new(), text))
    }

    /// The hash function of the standard library's maps.
    #[bench(reference)]
    fn std_default(b: Bencher<'_>) -> Result<(), String> {
        let hash = |text: &[u8]| {
            let mut hasher = DefaultHasher::new();
            hasher.write(text);
            hasher.finish()
        };
        measure(b, hash, |text| in_pieces(DefaultHasher::new(), text))
    }
}

mod compress {
    use examples::workspace::sources;
    use lz4_flex::{compress_prepend_size, decompress_size_prepended};
    use tourbillon::{Bencher, Bytes, bench};

    /// The sources and their compressed form, which must be smaller and decompress to the same.
    fn both_forms() -> Result<(Vec<u8>, Vec<u8>), String> {
        let text = sources()?.into_bytes();
        let compressed = compress_prepend_size(&text);
        if compressed.len() >= text.len() {
            return Err("wrong size: compression has not made the text smaller".to_owned());
        }
        let back = decompress_size_prepended(&compressed).map_err(|error| error.to_string())?;
        if back != text {
            return Err("wrong round trip: another text came back".to_owned());
        }
        Ok((text, compressed))
    }

    #[bench]
    fn lz4(b: Bencher<'_>) -> Result<(), String> {
        let (text, _) = both_forms()?;
        b.throughput(Bytes(text.len() as u64))
            .iter(|| compress_prepend_size(&text));
        Ok(())
    }

    /// The rate is that of the text that comes out.
    #[bench]
    fn lz4_back(b: Bencher<'_>) -> Result<(), String> {
        let (text, compressed) = both_forms()?;
        b.throughput(Bytes(text.len() as u64))
            .iter(|| decompress_size_prepended(&compressed));
        Ok(())
    }
}
