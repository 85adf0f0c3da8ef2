// Modules, methods, a trait, generics and a closure, for the tests of names.
use std::fmt::Display;

// As std::hint::black_box, which Debian 12's compiler has not.
fn black_box<T>(value: T) -> T {
    let value = std::mem::ManuallyDrop::new(value);
    unsafe { std::ptr::read_volatile(&*value) }
}

mod inner {
    pub struct Thing { pub n: u64, pub name: String }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind { Small = 1, Large = 9 }

    impl Thing {
        #[inline(never)]
        pub fn grow(&mut self, by: u64, why: &str, kind: Kind) -> u64 {
            self.n += by + super::black_box(why).len() as u64 + kind as u64;
            self.n
        }
    }

    pub trait Speak { fn speak(&self, times: u32) -> u32; }

    impl Speak for Thing {
        #[inline(never)]
        fn speak(&self, times: u32) -> u32 { times + self.n as u32 }
    }
}

use inner::{Kind, Speak, Thing};

#[inline(never)]
fn show<T: Display>(v: T, n: i32) -> i32 {
    black_box(v.to_string());
    n * 2
}

#[inline(never)]
#[no_mangle]
pub extern "C" fn unmangled(n: i32) -> i32 { n + 1 }

fn main() {
    let mut t = Thing { n: 5, name: "t".to_string() };
    let kind = if t.name.len() > 9 { Kind::Small } else { Kind::Large };
    let g = t.grow(black_box(3), black_box("because"), black_box(kind));
    let c = |k: i32| k + unmangled(k) + t.name.len() as i32;
    black_box((g, show("text", black_box(4)), show(8i64, black_box(5)), t.speak(black_box(2)), c(black_box(3))));
}
