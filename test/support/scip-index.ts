/** An occurrence of a hand-made SCIP index. */
export interface ScipOccurrenceOf {
  readonly range: readonly number[];
  readonly symbol: string;
  /** Bits of `SymbolRole`. */
  readonly roles?: number;
}

/** A document of a hand-made SCIP index. */
export interface ScipDocumentOf {
  readonly path: string | Uint8Array;
  readonly occurrences?: readonly ScipOccurrenceOf[];
  readonly text?: string;
  /** `PositionEncoding`: 1 UTF-8, 2 UTF-16, 3 UTF-32. */
  readonly encoding?: number;
}

/** Returns a field of a message: a number as a varint, anything else as bytes with their length. */
export function field(id: number, value: number | string | Uint8Array): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(id << 3), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
}

/** Returns a number as a varint; a negative one has ten bytes. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** Returns a SCIP index as an indexer writes it: metadata, then documents. */
export function scipIndex(documents: readonly ScipDocumentOf[]): Buffer {
  const metadata = field(2, Buffer.concat([field(1, 'scip-test'), field(2, '1.0.0')]));
  return Buffer.concat([field(1, metadata), ...documents.map((each) => field(2, message(each)))]);
}

function message({ path, occurrences = [], text, encoding }: ScipDocumentOf): Buffer {
  return Buffer.concat([
    field(4, 'typescript'),
    field(1, path),
    ...occurrences.map(({ range, symbol, roles = 0 }) =>
      field(
        2,
        Buffer.concat([
          field(1, Buffer.concat(range.map(varint))),
          field(2, symbol),
          ...(roles > 0 ? [field(3, roles)] : []),
        ]),
      ),
    ),
    ...(text === undefined ? [] : [field(5, text)]),
    ...(encoding === undefined ? [] : [field(6, encoding)]),
  ]);
}
