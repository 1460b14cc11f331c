"""Writes files of SAS (`.sas7bdat`) for tests: no library writes them, and SAS itself is not to be had.

The layout is that of "SAS7BDAT Database Binary Format" by Matt Shotwell. What is written here is read by pandas and pyreadstat, too.
"""

import struct

MAGIC = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")

#: Numbers of encodings.
UTF_8, WINDOWS_1252 = 20, 62


class Column:
    """A column: texts of `width` bytes, or numbers of 3 to 8 bytes with the name of a format."""

    def __init__(self, name, values, *, text=0, width=8, form="", label=""):
        self.name, self.values, self.form, self.label = name, values, form, label
        self.is_text, self.width = text > 0, text or width


def missing(letter):
    """The special missing value `.A`, `.Z` or `._`."""
    return struct.unpack(">d", bytes([0xFF, 0xFF, 0xFF - ord(letter), 0, 0, 0, 0, 0]))[0]


def write(columns, *, big=False, wide=True, packed=None, encoding=UTF_8, page=4096, deleted=(), mixed=True, moved=()):
    """The bytes of a file. `packed` is "SASYZCRL" or "SASYZCR2"; `deleted` are places of rows that are marked as deleted, `moved` those of
    packed rows that stand on the last page."""
    return Writer(big, wide, set(moved)).file(columns, packed, encoding, page, set(deleted), mixed)


class Writer:
    def __init__(self, big, wide, moved):
        self.order, self.wide, self.moved = ">" if big else "<", wide, moved
        self.mark, self.head, self.pointer = (8, 40, 24) if wide else (4, 24, 12)

    def pack(self, form, *numbers):
        return struct.pack(self.order + form, *numbers)

    def size(self, number):
        return self.pack("Q" if self.wide else "I", number)

    def signature(self, number):
        if not self.wide:
            return self.pack("I", number)
        if number >> 24 == 0xF7 or number >> 24 == 0xF6:
            return self.pack("Q", number) if self.order == "<" else self.pack("II", number, 0)
        return self.pack("Q", 0xFFFFFFFF00000000 | number)

    def sized(self, signature, content):
        """A piece that says how long it is."""
        content += bytes(12 if self.wide else 8)
        length = self.mark + 8 + len(content)
        return self.signature(signature) + self.pack("H", length - 4 - 2 * self.mark) + bytes(6) + content

    def file(self, columns, packed, encoding, page, deleted, mixed):
        codec = "utf-8" if encoding == UTF_8 else "windows-1252"
        rows = [self.row(columns, at, codec) for at in range(len(columns[0].values))]
        pieces, row_size = self.meta(columns, rows, packed, deleted, codec)
        pages = self.meta_pages(pieces, page, mixed and not packed)
        if packed:
            squeeze = runs if packed == "SASYZCRL" else copies
            pages += self.packed_pages([(squeeze(row), row, at in deleted) for at, row in enumerate(rows)], page, len(pages))
        else:
            first = self.place_rows(pages, rows, page, deleted) if mixed else 0
            self.patch(pages, row_size, first)
            room = page - self.head - page // 8
            each = max(1, min(room // len(rows[0]) if rows else 1, 65_535))
            for start in range(first, len(rows), each):
                pages.append(self.data_page(rows[start : start + each], start, page, deleted))
        header = self.header(encoding, page, len(pages))
        return header + b"".join(map(bytes, pages))

    def row(self, columns, at, codec):
        row = b""
        for column in columns:
            value = column.values[at]
            if column.is_text:
                row += value.encode(codec).ljust(column.width)[: column.width]
            else:
                value = float("nan") if value is None else value
                number = struct.pack(">d", missing(".") if value != value and not special(value) else value)
                number = number[: column.width]
                row += number if self.order == ">" else number[::-1]
        return row

    def meta(self, columns, rows, packed, deleted, codec):
        """All pieces but rows; and which of them says how many rows there are."""
        texts, places = bytearray(8), {}

        def place(text):
            text = text.encode(codec)
            if not text:
                return self.pack("HHH", 0, 0, 0)
            if text not in places:
                places[text] = len(texts)
                texts.extend(text.ljust(-(-len(text) // 4) * 4))
            return self.pack("HHH", 0, places[text], len(text))

        squeezed = place(packed or "")
        row_size = bytearray(808 if self.wide else 480)
        int_ = self.mark
        row_size[:int_] = self.signature(0xF7F7F7F7)
        length = len(rows[0]) if rows else sum(column.width for column in columns)
        for at, number in ((5, length), (6, len(rows)), (7, len(deleted)), (9, len(columns))):
            row_size[at * int_ : (at + 1) * int_] = self.size(number)
        row_size[-118:-112] = squeezed
        names = b"".join(place(column.name) + bytes(2) for column in columns)
        attributes, at = b"", 0
        for column in columns:
            kind = 2 if column.is_text else 1
            attributes += self.size(at) + self.pack("IHBB", column.width, 4, kind, 0)
            at += column.width
        formats = []
        for column in columns:
            piece = bytearray(64 if self.wide else 52)
            piece[: self.mark] = self.signature(0xFFFFFBFE)
            start = 46 if self.wide else 34
            piece[start : start + 12] = place(column.form) + place(column.label)
            formats.append(bytes(piece))
        column_size = self.signature(0xF6F6F6F6) + self.size(len(columns)) + (self.size(0) if self.wide else b"")
        counts = self.signature(0xFFFFFC00) + bytes((600 if self.wide else 304) - self.mark)
        text = self.sized(0xFFFFFFFD, bytes(texts[8:]))
        pieces = [row_size, column_size, counts, text]
        pieces += [self.sized(0xFFFFFFFF, names), self.sized(0xFFFFFFFC, attributes), *formats]
        return pieces, row_size

    def meta_pages(self, pieces, page, mixed):
        """Pages of pieces, of which the last is to have rows, too, if `mixed`."""
        pages, batch, used = [], [], self.head
        for piece in pieces:
            if used + len(piece) + self.pointer > page - 16:
                pages.append(self.piece_page(batch, page))
                batch, used = [], self.head
            batch.append((piece, 0, 0))
            used += len(piece) + self.pointer
        pages.append(self.piece_page(batch, page, 0x0200 if mixed else 0))
        self.batch, self.batches = batch, pages
        return pages

    def piece_page(self, pieces, page, kind=0):
        made, end = bytearray(page), page
        self.page_head(made, kind, len(pieces), len(pieces))
        for at, (piece, packing, of_row) in enumerate(pieces):
            end -= len(piece)
            made[end : end + len(piece)] = piece
            pointer = self.size(end) + self.size(len(piece)) + bytes([packing, of_row])
            start = self.head + at * self.pointer
            made[start : start + len(pointer)] = pointer
        self.end = end
        return made

    def page_head(self, page, kind, blocks, pieces, unused=0):
        page[self.head - 8 : self.head] = self.pack("HHHH", kind, blocks, pieces, 0)
        at, form = (24, "Q") if self.wide else (12, "I")
        page[at : at + struct.calcsize(form)] = self.pack(form, unused)

    def place_rows(self, pages, rows, page, deleted):
        """Puts the first rows behind the pieces of the last page; how many."""
        last, start = pages[-1], self.head + len(self.batch) * self.pointer
        start += 4 if start % 8 == 4 else 0
        count = 0
        while count < len(rows) and start + (count + 1) * len(rows[0]) + count // 8 + 2 < self.end:
            last[start + count * len(rows[0]) : start + (count + 1) * len(rows[0])] = rows[count]
            count += 1
        kind = 0x0200
        if any(at < count for at in deleted):
            kind |= 0x0080
            at = start + count * len(rows[0])
            bits = bitmap(deleted, 0, count)
            last[at : at + len(bits)] = bits
        self.page_head(last, kind, len(self.batch) + count, len(self.batch))
        return count

    def patch(self, pages, row_size, first):
        """Says in the pages how many rows stand beside pieces."""
        int_ = self.mark
        before = bytes(row_size)
        row_size[15 * int_ : 16 * int_] = self.size(first)
        for page in pages:
            at = bytes(page).find(before)
            if at >= 0:
                page[at : at + len(row_size)] = row_size

    def data_page(self, rows, start, page, deleted):
        made = bytearray(page)
        content = b"".join(rows)
        made[self.head : self.head + len(content)] = content
        bits = bitmap(deleted, start, len(rows))
        kind = 0x0180 if any(bits) else 0x0100
        unused = 8
        at = self.head + len(content) + unused
        if any(bits):
            made[at : at + len(bits)] = bits
        self.page_head(made, kind, len(rows), 0, unused)
        return made

    def packed_pages(self, rows, page, before):
        """Rows as pieces: packed, as they are where that is shorter, or marked as deleted. What was moved stands behind the others."""
        pages, batch, used, arrived, pointers = [], [], self.head, [], []
        for at, (squeezed, row, is_deleted) in enumerate(rows):
            piece, packing = (squeezed, 4) if len(squeezed) < len(row) else (row, 0)
            if at in self.moved:
                arrived.append((piece, packing + 2, 1))
                piece, packing = b"", 3
            if used + len(piece) + self.pointer > page:
                pages.append(self.piece_page(batch, page))
                batch, used = [], self.head
            if packing == 3:
                pointers.append((len(pages), len(batch)))
            batch.append((piece, 5 if is_deleted else packing, 1))
            used += len(piece) + self.pointer
        if batch:
            pages.append(self.piece_page(batch, page))
        if arrived:
            for place, (of, at) in enumerate(pointers):
                start = self.head + at * self.pointer
                target = self.size(before + len(pages) + 1) + self.size(place + 1)
                pages[of][start : start + len(target)] = target
            pages.append(self.piece_page(arrived, page))
        return pages

    def header(self, encoding, page, pages):
        made = bytearray(1024)
        made[:32] = MAGIC
        made[32] = 0x33 if self.wide else 0x22
        made[35] = 0x33 if self.wide else 0x22
        made[37] = 0 if self.order == ">" else 1
        made[39] = ord("1")
        made[70] = encoding
        made[84:92], made[92:124], made[156:164] = b"SAS FILE", b"MADE".ljust(32), b"DATA    "
        shift = 4 if self.wide else 0
        made[196 + shift : 204 + shift] = self.pack("II", 1024, page)
        made[204 + shift : 204 + shift + self.mark] = self.size(pages)
        start = 204 + shift + self.mark + 8
        made[start : start + 24] = b"9.0401M3" + b"Linux".ljust(16)
        return bytes(made)


def special(value):
    return struct.pack(">d", value)[:2] == b"\xff\xff"


def bitmap(deleted, start, rows):
    bits = bytearray(-(-rows // 8))
    for at in range(rows):
        if start + at in deleted:
            bits[at // 8] |= 128 >> at % 8
    return bits


def run_at(row, at):
    """How many bytes from here on are the same."""
    end = at
    while end < len(row) and row[end] == row[at]:
        end += 1
    return end - at


def runs(row):
    """A row as SASYZCRL packs it: by runs of one byte."""
    packed, at, plain = bytearray(), 0, b""

    def flush():
        nonlocal plain
        while plain:
            if len(plain) >= 64:
                part = plain[: 64 + 255]
                packed.extend([0x00, len(part) - 64])
            else:
                part = plain[:16]
                packed.append(0x80 | len(part) - 1)
            packed.extend(part)
            plain = plain[len(part) :]

    while at < len(row):
        count = run_at(row, at)
        byte = row[at]
        short = {ord("@"): 0xD0, ord(" "): 0xE0, 0: 0xF0}.get(byte)
        long = {ord("@"): 0x50, ord(" "): 0x60, 0: 0x70}.get(byte)
        if short and count >= 2:
            flush()
            if count < 17:
                packed.append(short | count - 2)
            else:
                count = min(count, 4096)
                packed.extend([long | (count - 17) // 256, (count - 17) % 256])
        elif count >= 3:
            flush()
            if count < 18:
                packed.extend([0xC0 | count - 3, byte])
            else:
                count = min(count, 4096)
                packed.extend([0x40 | (count - 18) // 256, (count - 18) % 256, byte])
        else:
            plain += row[at : at + count]
        at += count
    flush()
    return bytes(packed)


def copies(row):
    """A row as SASYZCR2 packs it: by runs, and by copies of what stood before."""
    items, at = [], 0
    while at < len(row):
        count = run_at(row, at)
        if count >= 3:
            count = min(count, 4000)
            if count < 19:
                items.append((1, bytes([count - 3, row[at]])))
            else:
                items.append((1, bytes([0x10 | (count - 19) & 15, count - 19 >> 4, row[at]])))
            at += count
            continue
        found = None
        for length in (24, 16, 8, 3):
            part = row[at : at + length]
            before = row.rfind(part, max(0, at - 4000), at)
            if len(part) == length and 0 <= before and at - before >= max(3, length):
                found = (length, at - before - 3)
                break
        if found:
            length, back = found
            if length >= 16:
                items.append((1, bytes([0x20 | back & 15, back >> 4, length - 16])))
            else:
                items.append((1, bytes([length << 4 | back & 15, back >> 4])))
            at += length
        else:
            items.append((0, row[at : at + 1]))
            at += 1
    packed = bytearray()
    for start in range(0, len(items), 16):
        group = items[start : start + 16]
        flags = sum(flag << 15 - at for at, (flag, _) in enumerate(group))
        packed.extend(struct.pack(">H", flags))
        for _, part in group:
            packed.extend(part)
    return bytes(packed)
