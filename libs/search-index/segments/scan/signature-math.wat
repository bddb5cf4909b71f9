;; The arithmetic of vectors in rows and of their signatures. `signature-math.ts` carries this module's bytes:
;; wat2wasm --enable-threads signature-math.wat, base64. Its scalar twins are compared with it in the tests.
(module
  ;; Shared by the threads that search; each computes into a place of its own.
  (import "vectors" "memory" (memory 1 65536 shared))

  ;; Rotates a row and writes the signs of the result. `order` has an index (u16) and then a sign (i16) for each
  ;; dimension; `space` holds the rotated row. Bit i of byte j is set where value 8j + i is negative. The bytes of a
  ;; signature are 16 apart: those of 16 vectors alternate.
  (func (export "sign")
    (param $row i32) (param $dimensions i32) (param $order i32) (param $space i32) (param $out i32)
    (local $at i32) (local $end i32) (local $block i32) (local $half i32) (local $pair i32) (local $pairEnd i32)
    (local $group i32) (local $groupEnd i32) (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $space) (i32.shl (local.get $dimensions) (i32.const 1))))
    (local.set $at (local.get $space))
    (loop $values
      (i32.store16 (local.get $at)
        (i32.mul
          (i32.load8_s (i32.add (local.get $row) (i32.load16_u (local.get $order))))
          (i32.load16_s offset=2 (local.get $order))))
      (local.set $order (i32.add (local.get $order) (i32.const 4)))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br_if $values (i32.lt_u (local.get $at) (local.get $end))))
    ;; Hadamard transforms of 128 values, 256 bytes: first between vectors of eight values, then inside them.
    (local.set $block (local.get $space))
    (loop $blocks
      (local.set $groupEnd (i32.add (local.get $block) (i32.const 256)))
      (local.set $half (i32.const 128))
      (loop $halves
        (local.set $group (local.get $block))
        (loop $groups
          (local.set $pair (local.get $group))
          (local.set $pairEnd (i32.add (local.get $group) (local.get $half)))
          (loop $pairs
            (local.set $a (v128.load (local.get $pair)))
            (local.set $b (v128.load (i32.add (local.get $pair) (local.get $half))))
            (v128.store (local.get $pair) (i16x8.add (local.get $a) (local.get $b)))
            (v128.store (i32.add (local.get $pair) (local.get $half)) (i16x8.sub (local.get $a) (local.get $b)))
            (local.set $pair (i32.add (local.get $pair) (i32.const 16)))
            (br_if $pairs (i32.lt_u (local.get $pair) (local.get $pairEnd))))
          (local.set $group (i32.add (local.get $pairEnd) (local.get $half)))
          (br_if $groups (i32.lt_u (local.get $group) (local.get $groupEnd))))
        (local.set $half (i32.shr_u (local.get $half) (i32.const 1)))
        (br_if $halves (i32.ge_u (local.get $half) (i32.const 16))))
      (local.set $block (local.get $groupEnd))
      (br_if $blocks (i32.lt_u (local.get $block) (local.get $end))))
    (local.set $at (local.get $space))
    (loop $vectors
      (local.set $a (v128.load (local.get $at)))
      (local.set $a (i16x8.add
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))
        (i16x8.mul (local.get $a) (v128.const i16x8 1 1 1 1 -1 -1 -1 -1))))
      (local.set $a (i16x8.add
        (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $a) (local.get $a))
        (i16x8.mul (local.get $a) (v128.const i16x8 1 1 -1 -1 1 1 -1 -1))))
      (local.set $a (i16x8.add
        (i8x16.shuffle 2 3 0 1 6 7 4 5 10 11 8 9 14 15 12 13 (local.get $a) (local.get $a))
        (i16x8.mul (local.get $a) (v128.const i16x8 1 -1 1 -1 1 -1 1 -1))))
      (i32.store8 (local.get $out) (i16x8.bitmask (local.get $a)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $vectors (i32.lt_u (local.get $at) (local.get $end)))))

  ;; out[i] = Σ tables[t][four bits t of signature i] as i16, for groups of 16 signatures. Two tables of 16 values (i8,
  ;; from -63 to 63) belong to each byte of a signature: of its low and of its high bits. `tablesEnd` is their end.
  (func (export "estimates")
    (param $tables i32) (param $tablesEnd i32) (param $group i32) (param $groupsEnd i32) (param $out i32)
    (local $table i32) (local $bits v128) (local $sum v128) (local $low v128) (local $high v128) (local $mask v128)
    (local.set $mask (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (loop $groups
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $table (local.get $tables))
      (loop $bytes
        (local.set $bits (v128.load (local.get $group)))
        (local.set $sum (i8x16.add
          (i8x16.swizzle (v128.load (local.get $table)) (v128.and (local.get $bits) (local.get $mask)))
          (i8x16.swizzle (v128.load offset=16 (local.get $table)) (i8x16.shr_u (local.get $bits) (i32.const 4)))))
        (local.set $low (i16x8.add (local.get $low) (i16x8.extend_low_i8x16_s (local.get $sum))))
        (local.set $high (i16x8.add (local.get $high) (i16x8.extend_high_i8x16_s (local.get $sum))))
        (local.set $group (i32.add (local.get $group) (i32.const 16)))
        (local.set $table (i32.add (local.get $table) (i32.const 32)))
        (br_if $bytes (i32.lt_u (local.get $table) (local.get $tablesEnd))))
      (v128.store (local.get $out) (local.get $low))
      (v128.store offset=16 (local.get $out) (local.get $high))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (br_if $groups (i32.lt_u (local.get $group) (local.get $groupsEnd)))))

  ;; out[i] = Σ query[j] · rows[indexes[i]][j] as i32. The query has 16 bits a value; dimensions divide by 16.
  (func (export "rowProducts")
    (param $query i32) (param $queryEnd i32) (param $rows i32) (param $index i32) (param $indexEnd i32) (param $out i32)
    (local $row i32) (local $at i32) (local $values v128) (local $low v128) (local $high v128) (local $dimensions i32)
    (local.set $dimensions (i32.shr_u (i32.sub (local.get $queryEnd) (local.get $query)) (i32.const 1)))
    (loop $vectors
      (local.set $row (i32.add (local.get $rows)
        (i32.mul (i32.load (local.get $index)) (local.get $dimensions))))
      (local.set $at (local.get $query))
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (loop $values
        (local.set $values (v128.load (local.get $row)))
        (local.set $low (i32x4.add (local.get $low)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $values)) (v128.load (local.get $at)))))
        (local.set $high (i32x4.add (local.get $high)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $values)) (v128.load offset=16 (local.get $at)))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $values (i32.lt_u (local.get $at) (local.get $queryEnd))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (i32.store (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
          (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $index (i32.add (local.get $index) (i32.const 4)))
      (br_if $vectors (i32.lt_u (local.get $index) (local.get $indexEnd))))))
