;; Dot products of one int8 query with many int8 vectors. `dot-products.ts` carries this module's bytes:
;; wat2wasm dot-products.wat, base64. Its scalar twin is compared with it bit for bit in the tests.
(module
  (memory (export "memory") 2 65536)

  ;; out[i] = Σ query[j] · vectors[i][j], i < count, j < dimensions; dimensions divides by 16, count > 0.
  (func (export "dotProducts")
    (param $query i32) (param $vectors i32) (param $count i32) (param $dimensions i32) (param $out i32)
    (local $at i32) (local $q v128) (local $v v128) (local $low v128) (local $high v128)
    (loop $vector
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $lane
        (local.set $q (v128.load (i32.add (local.get $query) (local.get $at))))
        (local.set $v (v128.load (i32.add (local.get $vectors) (local.get $at))))
        (local.set $low (i32x4.add (local.get $low)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $q)) (i16x8.extend_low_i8x16_s (local.get $v)))))
        (local.set $high (i32x4.add (local.get $high)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $q)) (i16x8.extend_high_i8x16_s (local.get $v)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $lane (i32.lt_u (local.get $at) (local.get $dimensions))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (i32.store (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
          (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
      (local.set $vectors (i32.add (local.get $vectors) (local.get $dimensions)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vector (local.get $count)))))
