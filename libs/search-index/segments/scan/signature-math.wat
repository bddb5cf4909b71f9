;; The arithmetic of vectors in rows and of their signatures. `signature-math.ts` carries this module's bytes:
;; wat2wasm --enable-threads signature-math.wat, base64. Its scalar twins are compared with it in the tests.
(module
  ;; Shared by the threads that search; each computes into a place of its own.
  (import "vectors" "memory" (memory 1 65536 shared))

  ;; Rotates a row and writes the signs of the result. `order` has an index (u16) and then a sign (i16) for each
  ;; dimension; `space` holds the rotated row. Bit i of byte j is set where value 8j + i is negative. The bytes of a
  ;; signature are 32 apart: those of 32 vectors alternate.
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
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $vectors (i32.lt_u (local.get $at) (local.get $end)))))

  ;; out[i] = Σ tables[t][four bits t of signature i] − lift as i16, for groups of 32 signatures. Two tables of 16 values
  ;; (u8, at most 126) belong to each byte of a signature: of its low and of its high bits. `tablesEnd` is their end; the
  ;; bytes of a signature are even in number. The sum of two values has a byte. A word of `all` adds up those of an even
  ;; and, times 256, of an odd signature; `odd` has the second sum alone, so the first is their difference. Indexes are
  ;; below 16, where a relaxed swizzle is the same on every processor.
  (func (export "estimates")
    (param $tables i32) (param $tablesEnd i32) (param $group i32) (param $groupsEnd i32) (param $out i32) (param $lift i32)
    (local $table i32) (local $bits v128) (local $sum v128) (local $mask v128) (local $lifts v128)
    (local $lowTable v128) (local $highTable v128)
    (local $all v128) (local $odd v128) (local $all2 v128) (local $odd2 v128)
    (local.set $mask (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (local.set $lifts (i16x8.splat (local.get $lift)))
    (loop $groups
      (local.set $all (v128.const i32x4 0 0 0 0))
      (local.set $odd (v128.const i32x4 0 0 0 0))
      (local.set $all2 (v128.const i32x4 0 0 0 0))
      (local.set $odd2 (v128.const i32x4 0 0 0 0))
      (local.set $table (local.get $tables))
      (loop $bytes
        (local.set $lowTable (v128.load (local.get $table)))
        (local.set $highTable (v128.load offset=16 (local.get $table)))
        (local.set $bits (v128.load (local.get $group)))
        (local.set $sum (i8x16.add
          (i8x16.relaxed_swizzle (local.get $lowTable) (v128.and (local.get $bits) (local.get $mask)))
          (i8x16.relaxed_swizzle (local.get $highTable)
            (v128.and (i16x8.shr_u (local.get $bits) (i32.const 4)) (local.get $mask)))))
        (local.set $all (i16x8.add (local.get $all) (local.get $sum)))
        (local.set $odd (i16x8.add (local.get $odd) (i16x8.shr_u (local.get $sum) (i32.const 8))))
        (local.set $bits (v128.load offset=16 (local.get $group)))
        (local.set $sum (i8x16.add
          (i8x16.relaxed_swizzle (local.get $lowTable) (v128.and (local.get $bits) (local.get $mask)))
          (i8x16.relaxed_swizzle (local.get $highTable)
            (v128.and (i16x8.shr_u (local.get $bits) (i32.const 4)) (local.get $mask)))))
        (local.set $all2 (i16x8.add (local.get $all2) (local.get $sum)))
        (local.set $odd2 (i16x8.add (local.get $odd2) (i16x8.shr_u (local.get $sum) (i32.const 8))))
        (local.set $lowTable (v128.load offset=32 (local.get $table)))
        (local.set $highTable (v128.load offset=48 (local.get $table)))
        (local.set $bits (v128.load offset=32 (local.get $group)))
        (local.set $sum (i8x16.add
          (i8x16.relaxed_swizzle (local.get $lowTable) (v128.and (local.get $bits) (local.get $mask)))
          (i8x16.relaxed_swizzle (local.get $highTable)
            (v128.and (i16x8.shr_u (local.get $bits) (i32.const 4)) (local.get $mask)))))
        (local.set $all (i16x8.add (local.get $all) (local.get $sum)))
        (local.set $odd (i16x8.add (local.get $odd) (i16x8.shr_u (local.get $sum) (i32.const 8))))
        (local.set $bits (v128.load offset=48 (local.get $group)))
        (local.set $sum (i8x16.add
          (i8x16.relaxed_swizzle (local.get $lowTable) (v128.and (local.get $bits) (local.get $mask)))
          (i8x16.relaxed_swizzle (local.get $highTable)
            (v128.and (i16x8.shr_u (local.get $bits) (i32.const 4)) (local.get $mask)))))
        (local.set $all2 (i16x8.add (local.get $all2) (local.get $sum)))
        (local.set $odd2 (i16x8.add (local.get $odd2) (i16x8.shr_u (local.get $sum) (i32.const 8))))
        (local.set $group (i32.add (local.get $group) (i32.const 64)))
        (local.set $table (i32.add (local.get $table) (i32.const 64)))
        (br_if $bytes (i32.lt_u (local.get $table) (local.get $tablesEnd))))
      (local.set $all (i16x8.sub (i16x8.sub (local.get $all) (i16x8.shl (local.get $odd) (i32.const 8))) (local.get $lifts)))
      (local.set $odd (i16x8.sub (local.get $odd) (local.get $lifts)))
      (v128.store (local.get $out)
        (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $all) (local.get $odd)))
      (v128.store offset=16 (local.get $out)
        (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $all) (local.get $odd)))
      (local.set $all2 (i16x8.sub (i16x8.sub (local.get $all2) (i16x8.shl (local.get $odd2) (i32.const 8))) (local.get $lifts)))
      (local.set $odd2 (i16x8.sub (local.get $odd2) (local.get $lifts)))
      (v128.store offset=32 (local.get $out)
        (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $all2) (local.get $odd2)))
      (v128.store offset=48 (local.get $out)
        (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $all2) (local.get $odd2)))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (br_if $groups (i32.lt_u (local.get $group) (local.get $groupsEnd)))))

  ;; Writes the indexes (u32) of values (i16) that reach `least`, and returns the end of what it wrote. Values divide by
  ;; 16.
  (func (export "reaching")
    (param $at i32) (param $end i32) (param $least i32) (param $out i32) (result i32)
    (local $index i32) (local $found i32) (local $leasts v128)
    (local.set $leasts (i16x8.splat (local.get $least)))
    (loop $values
      (local.set $found (i8x16.bitmask (i8x16.narrow_i16x8_s
        (i16x8.ge_s (v128.load (local.get $at)) (local.get $leasts))
        (i16x8.ge_s (v128.load offset=16 (local.get $at)) (local.get $leasts)))))
      (block $none
        (br_if $none (i32.eqz (local.get $found)))
        (loop $bits
          (i32.store (local.get $out) (i32.add (local.get $index) (i32.ctz (local.get $found))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
          (br_if $bits (local.get $found))))
      (local.set $index (i32.add (local.get $index) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $values (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $out))

  ;; The sum of the lanes (i32).
  (func $lanes (param $sum v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; out[i] = Σ query[j] · rows[indexes[i]][j] as i32. The query has two bytes a dimension, which divide by 16: 16 values
  ;; max(0, query[j]) and then 16 values max(0, −query[j]), each at most 127. With these a relaxed product is the same on
  ;; every processor: a sum of two products needs no more than 16 bits. Four rows at once: they are far from each other,
  ;; and the processor waits for the memory of all four together.
  (func (export "rowProducts")
    (param $query i32) (param $queryEnd i32) (param $rows i32) (param $index i32) (param $indexEnd i32) (param $out i32)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32) (local $at i32) (local $dimensions i32)
    (local $plus0 v128) (local $plus1 v128) (local $plus2 v128) (local $plus3 v128)
    (local $minus0 v128) (local $minus1 v128) (local $minus2 v128) (local $minus3 v128)
    (local $values v128) (local $positive v128) (local $negative v128)
    (local.set $dimensions (i32.shr_u (i32.sub (local.get $queryEnd) (local.get $query)) (i32.const 1)))
    (block $few
      (loop $fours
        (br_if $few (i32.gt_u (i32.add (local.get $index) (i32.const 16)) (local.get $indexEnd)))
        (local.set $row0 (i32.add (local.get $rows)
          (i32.mul (i32.load (local.get $index)) (local.get $dimensions))))
        (local.set $plus0 (v128.const i32x4 0 0 0 0))
        (local.set $minus0 (v128.const i32x4 0 0 0 0))
        (local.set $row1 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=4 (local.get $index)) (local.get $dimensions))))
        (local.set $plus1 (v128.const i32x4 0 0 0 0))
        (local.set $minus1 (v128.const i32x4 0 0 0 0))
        (local.set $row2 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=8 (local.get $index)) (local.get $dimensions))))
        (local.set $plus2 (v128.const i32x4 0 0 0 0))
        (local.set $minus2 (v128.const i32x4 0 0 0 0))
        (local.set $row3 (i32.add (local.get $rows)
          (i32.mul (i32.load offset=12 (local.get $index)) (local.get $dimensions))))
        (local.set $plus3 (v128.const i32x4 0 0 0 0))
        (local.set $minus3 (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $values
          (local.set $positive (v128.load (local.get $at)))
          (local.set $negative (v128.load offset=16 (local.get $at)))
          (local.set $values (v128.load (local.get $row0)))
          (local.set $plus0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $positive) (local.get $plus0)))
          (local.set $minus0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $negative) (local.get $minus0)))
          (local.set $row0 (i32.add (local.get $row0) (i32.const 16)))
          (local.set $values (v128.load (local.get $row1)))
          (local.set $plus1 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $positive) (local.get $plus1)))
          (local.set $minus1 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $negative) (local.get $minus1)))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $values (v128.load (local.get $row2)))
          (local.set $plus2 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $positive) (local.get $plus2)))
          (local.set $minus2 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $negative) (local.get $minus2)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $values (v128.load (local.get $row3)))
          (local.set $plus3 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $positive) (local.get $plus3)))
          (local.set $minus3 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $negative) (local.get $minus3)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $values (i32.lt_u (local.get $at) (local.get $queryEnd))))
        (i32.store (local.get $out) (call $lanes (i32x4.sub (local.get $plus0) (local.get $minus0))))
        (i32.store offset=4 (local.get $out) (call $lanes (i32x4.sub (local.get $plus1) (local.get $minus1))))
        (i32.store offset=8 (local.get $out) (call $lanes (i32x4.sub (local.get $plus2) (local.get $minus2))))
        (i32.store offset=12 (local.get $out) (call $lanes (i32x4.sub (local.get $plus3) (local.get $minus3))))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $index (i32.add (local.get $index) (i32.const 16)))
        (br $fours)))
    (block $none
      (loop $vectors
        (br_if $none (i32.ge_u (local.get $index) (local.get $indexEnd)))
        (local.set $row0 (i32.add (local.get $rows)
          (i32.mul (i32.load (local.get $index)) (local.get $dimensions))))
        (local.set $plus0 (v128.const i32x4 0 0 0 0))
        (local.set $minus0 (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $values
          (local.set $positive (v128.load (local.get $at)))
          (local.set $negative (v128.load offset=16 (local.get $at)))
          (local.set $values (v128.load (local.get $row0)))
          (local.set $plus0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $positive) (local.get $plus0)))
          (local.set $minus0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $values) (local.get $negative) (local.get $minus0)))
          (local.set $row0 (i32.add (local.get $row0) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $values (i32.lt_u (local.get $at) (local.get $queryEnd))))
        (i32.store (local.get $out) (call $lanes (i32x4.sub (local.get $plus0) (local.get $minus0))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $index (i32.add (local.get $index) (i32.const 4)))
        (br $vectors)))))
