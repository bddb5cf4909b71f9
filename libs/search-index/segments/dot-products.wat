;; Dot products of one int8 query with many int8 vectors. `dot-products.ts` carries this module's bytes:
;; wat2wasm --enable-threads dot-products.wat, base64. Its scalar twin is compared with it bit for bit in the tests.
(module
  ;; Shared by the threads that search; each computes into a place of its own.
  (import "vectors" "memory" (memory 1 65536 shared))

  ;; out[i] = Σ query[j] · vectors[i][j], i < count, j < dimensions; dimensions divides by 16, count > 0.
  ;; The query is given as i16, so that nothing of it is widened again for each vector.
  (func (export "dotProducts")
    (param $query i32) (param $vectors i32) (param $count i32) (param $dimensions i32) (param $out i32)
    (local $q i32) (local $end i32) (local $low v128) (local $high v128)
    (loop $vector
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $q (local.get $query))
      (local.set $end (i32.add (local.get $vectors) (local.get $dimensions)))
      (loop $lane
        (local.set $low (i32x4.add (local.get $low)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $vectors)) (v128.load (local.get $q)))))
        (local.set $high (i32x4.add (local.get $high)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $vectors)) (v128.load offset=16 (local.get $q)))))
        (local.set $q (i32.add (local.get $q) (i32.const 32)))
        (local.set $vectors (i32.add (local.get $vectors) (i32.const 16)))
        (br_if $lane (i32.lt_u (local.get $vectors) (local.get $end))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (i32.store (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
          (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vector (local.get $count)))))
