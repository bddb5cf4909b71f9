;; The arithmetic of BM25 over postings. `word-math.ts` carries this module's bytes: wat2wasm word-math.wat, base64. Its
;; scalar twin is compared with it in the tests.
(module
  (import "words" "memory" (memory 1))

  ;; Adds the share of one term to the score (f32) of each chunk: score + (idf · f) / (f + base + slope · length), in f64.
  ;; `touched` is where the next chunk is written whose score was 0; returns where the next one would be written.
  (func (export "add")
    (param $chunk i32) (param $chunksEnd i32) (param $frequency i32) (param $lengths i32) (param $scores i32)
    (param $touched i32) (param $idf f64) (param $base f64) (param $slope f64) (result i32)
    (local $first i32) (local $second i32) (local $frequencies v128) (local $shares v128) (local $score f32)
    (local $idfs v128) (local $bases v128) (local $slopes v128)
    (local.set $idfs (f64x2.splat (local.get $idf)))
    (local.set $bases (f64x2.splat (local.get $base)))
    (local.set $slopes (f64x2.splat (local.get $slope)))
    (block $single
      (loop $pairs
        (br_if $single (i32.gt_u (i32.add (local.get $chunk) (i32.const 8)) (local.get $chunksEnd)))
        (local.set $first (i32.shl (i32.load (local.get $chunk)) (i32.const 2)))
        (local.set $second (i32.shl (i32.load offset=4 (local.get $chunk)) (i32.const 2)))
        (local.set $frequencies (f64x2.replace_lane 1
          (f64x2.splat (f64.convert_i32_u (i32.load8_u (local.get $frequency))))
          (f64.convert_i32_u (i32.load8_u offset=1 (local.get $frequency)))))
        (local.set $shares (f64x2.div
          (f64x2.mul (local.get $idfs) (local.get $frequencies))
          (f64x2.add
            (f64x2.add (local.get $frequencies) (local.get $bases))
            (f64x2.mul (local.get $slopes) (f64x2.replace_lane 1
              (f64x2.splat (f64.convert_i32_u (i32.load (i32.add (local.get $lengths) (local.get $first)))))
              (f64.convert_i32_u (i32.load (i32.add (local.get $lengths) (local.get $second)))))))))
        (local.set $touched (call $raise (i32.add (local.get $scores) (local.get $first)) (i32.load (local.get $chunk))
          (f64x2.extract_lane 0 (local.get $shares)) (local.get $touched)))
        (local.set $touched (call $raise (i32.add (local.get $scores) (local.get $second)) (i32.load offset=4 (local.get $chunk))
          (f64x2.extract_lane 1 (local.get $shares)) (local.get $touched)))
        (local.set $chunk (i32.add (local.get $chunk) (i32.const 8)))
        (local.set $frequency (i32.add (local.get $frequency) (i32.const 2)))
        (br $pairs)))
    (if (i32.lt_u (local.get $chunk) (local.get $chunksEnd)) (then
      (local.set $first (i32.shl (i32.load (local.get $chunk)) (i32.const 2)))
      (local.set $frequencies (f64x2.splat (f64.convert_i32_u (i32.load8_u (local.get $frequency)))))
      (local.set $shares (f64x2.div
        (f64x2.mul (local.get $idfs) (local.get $frequencies))
        (f64x2.add
          (f64x2.add (local.get $frequencies) (local.get $bases))
          (f64x2.mul (local.get $slopes)
            (f64x2.splat (f64.convert_i32_u (i32.load (i32.add (local.get $lengths) (local.get $first)))))))))
      (local.set $touched (call $raise (i32.add (local.get $scores) (local.get $first)) (i32.load (local.get $chunk))
        (f64x2.extract_lane 0 (local.get $shares)) (local.get $touched)))))
    (local.get $touched))

  ;; Adds a share to a score; writes the chunk at `touched` and moves on if the score was 0.
  (func $raise (param $at i32) (param $chunk i32) (param $share f64) (param $touched i32) (result i32)
    (local $score f32)
    (local.set $score (f32.load (local.get $at)))
    (f32.store (local.get $at) (f32.demote_f64 (f64.add (f64.promote_f32 (local.get $score)) (local.get $share))))
    (i32.store (local.get $touched) (local.get $chunk))
    (i32.add (local.get $touched) (i32.shl (f32.eq (local.get $score) (f32.const 0)) (i32.const 2))))

  ;; Writes the touched chunks whose score reaches a value; returns the end of what it wrote.
  (func (export "reaching")
    (param $touched i32) (param $touchedEnd i32) (param $scores i32) (param $least f32) (param $out i32) (result i32)
    (local $chunk i32)
    (block $end
      (loop $chunks
        (br_if $end (i32.ge_u (local.get $touched) (local.get $touchedEnd)))
        (local.set $chunk (i32.load (local.get $touched)))
        (i32.store (local.get $out) (local.get $chunk))
        (local.set $out (i32.add (local.get $out) (i32.shl
          (f32.ge (f32.load (i32.add (local.get $scores) (i32.shl (local.get $chunk) (i32.const 2)))) (local.get $least))
          (i32.const 2))))
        (local.set $touched (i32.add (local.get $touched) (i32.const 4)))
        (br $chunks)))
    (local.get $out))

  ;; Sets the scores of the touched chunks to 0.
  (func (export "clear") (param $touched i32) (param $touchedEnd i32) (param $scores i32)
    (block $end
      (loop $chunks
        (br_if $end (i32.ge_u (local.get $touched) (local.get $touchedEnd)))
        (f32.store
          (i32.add (local.get $scores) (i32.shl (i32.load (local.get $touched)) (i32.const 2)))
          (f32.const 0))
        (local.set $touched (i32.add (local.get $touched) (i32.const 4)))
        (br $chunks)))))
