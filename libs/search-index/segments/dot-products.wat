;; Dot products of one int8 query with a block of int8 vectors. `dot-products.ts` carries this module's bytes:
;; wat2wasm --enable-threads dot-products.wat, base64. Its scalar twin is compared with it bit for bit in the tests.
(module
  ;; Shared by the threads that search; each computes into a place of its own.
  (import "vectors" "memory" (memory 1 65536 shared))

  ;; out[i] = Σ query[j] · block[j][i], i < width. A block lies dimension after dimension; width divides by 16. The query
  ;; is a list of four dimensions (u16 each) and their four values (i16 each), at least one entry. Four dimensions at once,
  ;; since the sums are read and written for each entry; they stay in the nearest cache.
  (func (export "dotProducts")
    (param $entry i32) (param $entriesEnd i32) (param $block i32) (param $width i32) (param $out i32)
    (local $values12 v128) (local $values34 v128) (local $one v128) (local $two v128) (local $three v128) (local $four v128)
    (local $at1 i32) (local $at2 i32) (local $at3 i32) (local $at4 i32) (local $sum i32) (local $end i32)
    (memory.fill (local.get $out) (i32.const 0) (i32.shl (local.get $width) (i32.const 2)))
    (loop $dimensions
      (local.set $values12 (v128.load32_splat offset=8 (local.get $entry)))
      (local.set $values34 (v128.load32_splat offset=12 (local.get $entry)))
      (local.set $at1 (i32.add (local.get $block) (i32.mul (i32.load16_u (local.get $entry)) (local.get $width))))
      (local.set $at2 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=2 (local.get $entry)) (local.get $width))))
      (local.set $at3 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=4 (local.get $entry)) (local.get $width))))
      (local.set $at4 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=6 (local.get $entry)) (local.get $width))))
      (local.set $sum (local.get $out))
      (local.set $end (i32.add (local.get $at1) (local.get $width)))
      (loop $vectors
        (local.set $one (v128.load (local.get $at1)))
        (local.set $two (v128.load (local.get $at2)))
        (local.set $three (v128.load (local.get $at3)))
        (local.set $four (v128.load (local.get $at4)))
        (v128.store (local.get $sum) (i32x4.add (v128.load (local.get $sum)) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_low_i8x16_s
            (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $one) (local.get $two))))
          (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_low_i8x16_s
            (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $three) (local.get $four)))))))
        (v128.store offset=16 (local.get $sum) (i32x4.add (v128.load offset=16 (local.get $sum)) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_high_i8x16_s
            (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $one) (local.get $two))))
          (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_high_i8x16_s
            (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $three) (local.get $four)))))))
        (v128.store offset=32 (local.get $sum) (i32x4.add (v128.load offset=32 (local.get $sum)) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_low_i8x16_s
            (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $one) (local.get $two))))
          (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_low_i8x16_s
            (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $three) (local.get $four)))))))
        (v128.store offset=48 (local.get $sum) (i32x4.add (v128.load offset=48 (local.get $sum)) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_high_i8x16_s
            (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $one) (local.get $two))))
          (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_high_i8x16_s
            (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $three) (local.get $four)))))))
        (local.set $sum (i32.add (local.get $sum) (i32.const 64)))
        (local.set $at1 (i32.add (local.get $at1) (i32.const 16)))
        (local.set $at2 (i32.add (local.get $at2) (i32.const 16)))
        (local.set $at3 (i32.add (local.get $at3) (i32.const 16)))
        (local.set $at4 (i32.add (local.get $at4) (i32.const 16)))
        (br_if $vectors (i32.lt_u (local.get $at1) (local.get $end))))
      (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
      (br_if $dimensions (i32.lt_u (local.get $entry) (local.get $entriesEnd))))))
