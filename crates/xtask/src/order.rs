//! Puts the functions of a module that are alike beside each other. Many are one generic function made for several types;
//! gzip sees only 32 kB back, and the linker spreads them over a megabyte. What the module does stays the same: functions
//! are called by number, and the numbers follow.

use std::convert::Infallible;

use anyhow::{Context, Result, anyhow};
use wasm_encoder::reencode::{Error, Reencode};
use wasmparser::{FunctionBody, Parser, Payload, TypeRef};

/// Bytes of a piece of code that is compared.
const PIECE: usize = 4;

/// Words of 64 bits that stand for the pieces of a function.
const WORDS: usize = 32;

/// The module with its functions in another order.
pub(crate) fn alike_together(module: &[u8]) -> Result<Vec<u8>> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload.context("a built module cannot be read")? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let kind = import.context("an import of a built module cannot be read")?.ty;
                    imported += u32::from(matches!(kind, TypeRef::Func(_) | TypeRef::FuncExact(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let order = chain(&bodies);
    let mut numbers = vec![0; order.len()];
    for (new, &old) in (imported..).zip(&order) {
        numbers[old] = new;
    }
    let mut written = wasm_encoder::Module::new();
    Reordered { imported, numbers, order }
        .parse_core_module(&mut written, Parser::new(0), module)
        .map_err(|error| anyhow!("the functions of a built module cannot be put in order: {error}"))?;
    Ok(written.finish())
}

/// From the longest function on, always the one that is most like the last.
fn chain(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces: Vec<Pieces> = bodies.iter().map(|body| Pieces::of(body)).collect();
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    left.sort_by_key(|&at| std::cmp::Reverse(bodies[at].len()));
    let mut order = Vec::with_capacity(left.len());
    let mut next = 0;
    while !left.is_empty() {
        let last = left.remove(next);
        order.push(last);
        let mut best = f64::NEG_INFINITY;
        for (place, &at) in left.iter().enumerate() {
            let likeness = pieces[last].likeness(&pieces[at]);
            if likeness > best {
                (best, next) = (likeness, place);
            }
        }
        next = if left.is_empty() { 0 } else { next };
    }
    order
}

/// Which pieces of code a function has, each as a bit.
struct Pieces {
    bits: [u64; WORDS],
    count: u32,
}

impl Pieces {
    fn of(body: &[u8]) -> Self {
        let mut bits = [0; WORDS];
        for piece in body.windows(PIECE) {
            // FNV-1a.
            let hash = piece.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
            let bit = ((hash ^ (hash >> 29)) % (64 * WORDS as u64)) as usize;
            bits[bit / 64] |= 1 << (bit % 64);
        }
        Self { count: bits.iter().map(|word: &u64| word.count_ones()).sum(), bits }
    }

    /// Pieces of both beside those of either.
    fn likeness(&self, other: &Self) -> f64 {
        let both: u32 = self.bits.iter().zip(&other.bits).map(|(a, b)| (a & b).count_ones()).sum();
        f64::from(both) / f64::from(self.count + other.count - both + 1)
    }
}

/// Copies a module; its own functions get new numbers.
struct Reordered {
    /// Functions that are imported come first, and stay.
    imported: u32,
    /// The new number of each.
    numbers: Vec<u32>,
    /// Each in its new place.
    order: Vec<usize>,
}

impl Reencode for Reordered {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        let own = function.checked_sub(self.imported).map(|own| own as usize);
        Ok(own.map_or(function, |own| self.numbers[own]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut wasm_encoder::FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for &old in &self.order {
            functions.function(types[old]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut wasm_encoder::CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<FunctionBody<'_>>, _>>()?;
        for old in self.order.clone() {
            self.parse_function_body(code, bodies[old].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module that imports one function and has four of its own, with what they are called by.
    fn module() -> Vec<u8> {
        use wasm_encoder::*;
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("page", "f", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        let mut exports = ExportSection::new();
        for at in 0..4_i32 {
            functions.function((at % 2).unsigned_abs());
            let mut body = Function::new([]);
            let length = if at % 2 == 0 { 3 } else { 9 };
            for step in 0..length + at / 2 {
                body.instruction(&Instruction::I32Const(if at % 2 == 0 { step } else { 100 - step }));
                body.instruction(&Instruction::Drop);
            }
            body.instruction(&Instruction::I32Const(at));
            body.instruction(&Instruction::Drop);
            body.instruction(&Instruction::Call(0));
            body.instruction(&Instruction::End);
            code.function(&body);
            exports.export(&format!("f{at}"), ExportKind::Func, at.unsigned_abs() + 1);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    /// Each exported function by its name: its type and its code.
    fn exported(module: &[u8]) -> Vec<(String, u32, Vec<u8>)> {
        let (mut types, mut bodies, mut exports) = (Vec::new(), Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload.unwrap() {
                Payload::FunctionSection(section) => types.extend(section.into_iter().map(Result::unwrap)),
                Payload::ExportSection(section) => exports.extend(section.into_iter().map(Result::unwrap)),
                Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes().to_vec()),
                _ => {}
            }
        }
        let of = |export: wasmparser::Export<'_>| {
            let at = export.index as usize - 1;
            (export.name.to_owned(), types[at], bodies[at].clone())
        };
        exports.into_iter().map(of).collect()
    }

    #[test]
    fn every_function_keeps_its_name_its_type_and_its_code() {
        let before = module();
        let after = alike_together(&before).unwrap();
        assert_eq!(exported(&after), exported(&before));
        assert_ne!(after, before);
        // Those of one kind stand together.
        let mut order = Vec::new();
        for payload in Parser::new(0).parse_all(&after) {
            if let Payload::FunctionSection(section) = payload.unwrap() {
                order = section.into_iter().map(Result::unwrap).collect();
            }
        }
        assert_eq!(order, [1, 1, 0, 0]);
    }

    #[test]
    fn the_order_is_a_permutation_that_begins_with_the_longest() {
        let bodies: Vec<Vec<u8>> =
            (0..40_u8).map(|at| (0..=at % 7).map(|b| b * (at % 3)).collect()).collect();
        let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        let order = chain(&bodies);
        assert_eq!(bodies[order[0]].len(), 7);
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..40).collect::<Vec<_>>());
        assert_eq!(chain(&[]), [0_usize; 0]);
    }

    #[test]
    fn what_is_no_module_is_an_error() {
        assert!(alike_together(b"no module").is_err());
    }
}
