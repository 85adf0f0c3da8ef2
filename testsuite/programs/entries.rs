// SPDX-License-Identifier: GPL-2.0-or-later
// Functions whose parameters lie wherever a calling convention and a compiler put them.

// As std::hint::black_box, which Debian 12's compiler has not.
fn black_box<T>(value: T) -> T {
    let value = std::mem::ManuallyDrop::new(value);
    unsafe { std::ptr::read_volatile(&*value) }
}

pub struct Large {
    x: i64,
    y: i64,
    z: i64,
}

#[inline(never)]
fn plain(a: i32, b: i32) -> i32 {
    a.wrapping_add(b)
}

#[inline(never)]
fn many(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64) -> i64 {
    black_box(a ^ b ^ c ^ d ^ e ^ f ^ g ^ h)
}

#[inline(never)]
fn values(l: &Large, n: i32) -> i64 {
    black_box(l.x ^ l.y ^ l.z ^ n as i64)
}

#[inline(never)]
fn loops(n: usize, text: &[u8]) -> u64 {
    let mut sum = 0;
    for i in 0..n {
        sum ^= text[i] as u64;
    }
    black_box(sum)
}

fn main() {
    let mut got = black_box(plain(black_box(11), black_box(12))) as i64;
    got ^= many(
        black_box(21), black_box(22), black_box(23), black_box(24),
        black_box(25), black_box(26), black_box(27), black_box(28),
    );
    // Called where it is known, it may get what the reference leads to.
    let by_pointer: fn(&Large, i32) -> i64 = values;
    got ^= black_box(by_pointer)(black_box(&Large { x: 33, y: 34, z: 35 }), black_box(36));
    got ^= loops(black_box(4), black_box(b"text")) as i64;
    black_box(got);
}
