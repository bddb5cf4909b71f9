;; The arithmetic of the vector leg. `vector-math.ts` carries this module's bytes: wat2wasm --enable-threads vector-math.wat,
;; base64. Its scalar twins are compared with it in the tests.
(module
  ;; Shared by the threads that search; each computes into a place of its own.
  (import "vectors" "memory" (memory 1 65536 shared))

  ;; out[i] = Σ query[j] · block[j][i], i < width. A block lies dimension after dimension; width divides by 16. The query
  ;; is a list of eight dimensions (u16 each) and their eight values (i16 each), at least one entry. Eight dimensions at
  ;; once, since the sums are read and written for each entry; they stay in the nearest cache.
  (func (export "dotProducts")
    (param $entry i32) (param $entriesEnd i32) (param $block i32) (param $width i32) (param $out i32)
    (local $values12 v128) (local $values34 v128) (local $values56 v128) (local $values78 v128)
    (local $one v128) (local $two v128) (local $three v128) (local $four v128)
    (local $five v128) (local $six v128) (local $seven v128) (local $eight v128)
    (local $at1 i32) (local $at2 i32) (local $at3 i32) (local $at4 i32)
    (local $at5 i32) (local $at6 i32) (local $at7 i32) (local $at8 i32) (local $sum i32) (local $end i32)
    (memory.fill (local.get $out) (i32.const 0) (i32.shl (local.get $width) (i32.const 2)))
    (loop $dimensions
      (local.set $values12 (v128.load32_splat offset=16 (local.get $entry)))
      (local.set $values34 (v128.load32_splat offset=20 (local.get $entry)))
      (local.set $values56 (v128.load32_splat offset=24 (local.get $entry)))
      (local.set $values78 (v128.load32_splat offset=28 (local.get $entry)))
      (local.set $at1 (i32.add (local.get $block) (i32.mul (i32.load16_u (local.get $entry)) (local.get $width))))
      (local.set $at2 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=2 (local.get $entry)) (local.get $width))))
      (local.set $at3 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=4 (local.get $entry)) (local.get $width))))
      (local.set $at4 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=6 (local.get $entry)) (local.get $width))))
      (local.set $at5 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=8 (local.get $entry)) (local.get $width))))
      (local.set $at6 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=10 (local.get $entry)) (local.get $width))))
      (local.set $at7 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=12 (local.get $entry)) (local.get $width))))
      (local.set $at8 (i32.add (local.get $block) (i32.mul (i32.load16_u offset=14 (local.get $entry)) (local.get $width))))
      (local.set $sum (local.get $out))
      (local.set $end (i32.add (local.get $at1) (local.get $width)))
      (loop $vectors
        (local.set $one (v128.load (local.get $at1)))
        (local.set $two (v128.load (local.get $at2)))
        (local.set $three (v128.load (local.get $at3)))
        (local.set $four (v128.load (local.get $at4)))
        (local.set $five (v128.load (local.get $at5)))
        (local.set $six (v128.load (local.get $at6)))
        (local.set $seven (v128.load (local.get $at7)))
        (local.set $eight (v128.load (local.get $at8)))
        (v128.store (local.get $sum) (i32x4.add (v128.load (local.get $sum)) (i32x4.add
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $one) (local.get $two))))
            (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $three) (local.get $four)))))
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values56) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $five) (local.get $six))))
            (i32x4.dot_i16x8_s (local.get $values78) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $seven) (local.get $eight))))))))
        (v128.store offset=16 (local.get $sum) (i32x4.add (v128.load offset=16 (local.get $sum)) (i32x4.add
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $one) (local.get $two))))
            (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $three) (local.get $four)))))
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values56) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $five) (local.get $six))))
            (i32x4.dot_i16x8_s (local.get $values78) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $seven) (local.get $eight))))))))
        (v128.store offset=32 (local.get $sum) (i32x4.add (v128.load offset=32 (local.get $sum)) (i32x4.add
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $one) (local.get $two))))
            (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $three) (local.get $four)))))
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values56) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $five) (local.get $six))))
            (i32x4.dot_i16x8_s (local.get $values78) (i16x8.extend_low_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $seven) (local.get $eight))))))))
        (v128.store offset=48 (local.get $sum) (i32x4.add (v128.load offset=48 (local.get $sum)) (i32x4.add
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values12) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $one) (local.get $two))))
            (i32x4.dot_i16x8_s (local.get $values34) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $three) (local.get $four)))))
          (i32x4.add
            (i32x4.dot_i16x8_s (local.get $values56) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $five) (local.get $six))))
            (i32x4.dot_i16x8_s (local.get $values78) (i16x8.extend_high_i8x16_s
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $seven) (local.get $eight))))))))
        (local.set $sum (i32.add (local.get $sum) (i32.const 64)))
        (local.set $at1 (i32.add (local.get $at1) (i32.const 16)))
        (local.set $at2 (i32.add (local.get $at2) (i32.const 16)))
        (local.set $at3 (i32.add (local.get $at3) (i32.const 16)))
        (local.set $at4 (i32.add (local.get $at4) (i32.const 16)))
        (local.set $at5 (i32.add (local.get $at5) (i32.const 16)))
        (local.set $at6 (i32.add (local.get $at6) (i32.const 16)))
        (local.set $at7 (i32.add (local.get $at7) (i32.const 16)))
        (local.set $at8 (i32.add (local.get $at8) (i32.const 16)))
        (br_if $vectors (i32.lt_u (local.get $at1) (local.get $end))))
      (local.set $entry (i32.add (local.get $entry) (i32.const 32)))
      (br_if $dimensions (i32.lt_u (local.get $entry) (local.get $entriesEnd)))))

  ;; Writes each i < width where products[i] · scales[i] ≥ least, ascending (u32 each), and tells where they end. Products are
  ;; i32, scales f32; width divides by 4 and is not 0.
  (func (export "atLeast")
    (param $products i32) (param $scales i32) (param $width i32) (param $least f32) (param $out i32) (result i32)
    (local $index i32) (local $found i32)
    (loop $vectors
      (local.set $found (i32x4.bitmask (f32x4.ge
        (f32x4.mul (f32x4.convert_i32x4_s (v128.load (local.get $products))) (v128.load (local.get $scales)))
        (f32x4.splat (local.get $least)))))
      (if (local.get $found) (then
        (loop $ones
          (i32.store (local.get $out) (i32.add (local.get $index) (i32.ctz (local.get $found))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
          (br_if $ones (local.get $found)))))
      (local.set $products (i32.add (local.get $products) (i32.const 16)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (local.set $index (i32.add (local.get $index) (i32.const 4)))
      (br_if $vectors (i32.lt_u (local.get $index) (local.get $width))))
    (local.get $out)))
