//! An archive whose files are not packed: bytes that are changed at random get past its wrapping.

/// A ZIP archive of files that are not packed: a changed byte of one is no damage.
pub(super) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut index) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let (size, length) = ((content.len() as u32).to_le_bytes(), (name.len() as u16).to_le_bytes());
        // Version, flags, way of packing, time, day; what checks the content; its size packed and unpacked; lengths.
        let about = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 33, 0][..],
            &crc32(content).to_le_bytes(),
            &size,
            &size,
            &length,
            &[0, 0],
        ]
        .concat();
        let at = (bytes.len() as u32).to_le_bytes();
        index.extend([&b"PK\x01\x02\x14\x00"[..], &about, &[0; 10], &at, name.as_bytes()].concat());
        bytes.extend([&b"PK\x03\x04"[..], &about, name.as_bytes(), content].concat());
    }
    let (count, at) = ((files.len() as u16).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    let size = (index.len() as u32).to_le_bytes();
    bytes.extend(index);
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &at, &[0, 0]].concat());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
    };
    !bytes.iter().fold(u32::MAX, step)
}
