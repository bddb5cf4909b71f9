;; Adding rows of a model file up. `row-sums.ts` carries this module's bytes: wat2wasm row-sums.wat, base64. Its scalar twin
;; is compared with it in the tests.
(module
  (import "rows" "memory" (memory 1))

  ;; sum[i] += row[i] · weight in single precision, for the bytes of a row up to its end. A row's length divides by 16.
  (func (export "addRow") (param $row i32) (param $end i32) (param $weight f32) (param $sum i32)
    (local $factor v128) (local $bytes v128) (local $half v128)
    (local.set $factor (f32x4.splat (local.get $weight)))
    (loop $next
      (local.set $bytes (v128.load (local.get $row)))
      (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
      (v128.store (local.get $sum)
        (f32x4.add (v128.load (local.get $sum))
          (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
      (v128.store offset=16 (local.get $sum)
        (f32x4.add (v128.load offset=16 (local.get $sum))
          (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
      (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
      (v128.store offset=32 (local.get $sum)
        (f32x4.add (v128.load offset=32 (local.get $sum))
          (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
      (v128.store offset=48 (local.get $sum)
        (f32x4.add (v128.load offset=48 (local.get $sum))
          (f32x4.mul (local.get $factor) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
      (local.set $sum (i32.add (local.get $sum) (i32.const 64)))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end))))))
