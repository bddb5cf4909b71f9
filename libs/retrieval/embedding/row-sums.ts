import { createMemory, WasmFunctions } from '../wasm-functions.js';

/** `row-sums.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABCAFgBH9/fX8AAhABBHJvd3MGbWVtb3J5AgABAwIBAAcKAQZhZGRSb3cAAAqsAQGpAQEDeyAC/RMhBANAIAD9AAQAIQUgBf2HASEGIAMg' +
  'A/0ABAAgBCAG/acB/foB/eYB/eQB/QsEACADIAP9AAQQIAQgBv2oAf36Af3mAf3kAf0LBBAgBf2IASEGIAMgA/0ABCAgBCAG/acB/foB/eYB/eQB/QsE' +
  'ICADIAP9AAQwIAQgBv2oAf36Af3mAf3kAf0LBDAgA0HAAGohAyAAQRBqIQAgACABSQ0ACws=';

interface RowFunctions {
  /**
   * Computes `sum[i] += row[i]·weight` in single precision, over the bytes of a row, a multiple of
   * 16. All arguments but the weight are addresses.
   */
  addRow(row: number, end: number, weight: number, sum: number): void;
}

const functions = new WasmFunctions<RowFunctions>(MODULE, 'rows');

/**
 * Rows of one byte a dimension, and two sums of them: of a text's terms, and of one term's pieces.
 * Most of the cost of embedding is here, so sixteen dimensions are added at once.
 */
export class RowSums {
  /** Sum with `dimensions` values, as the one below. */
  readonly text: Float32Array;
  readonly term: Float32Array;
  readonly rows: Int8Array;
  private readonly rowsAt: number;
  private readonly functions: RowFunctions;

  /**
   * Allocates rows. @param dimensions a multiple of 16 @param count of rows, all zero; memory of a
   * row is taken when it is first written
   */
  constructor(
    private readonly dimensions: number,
    count: number,
  ) {
    this.rowsAt = 2 * dimensions * Float32Array.BYTES_PER_ELEMENT;
    const memory = createMemory(this.rowsAt + count * dimensions);
    this.text = new Float32Array(memory.buffer, 0, dimensions);
    this.term = new Float32Array(memory.buffer, this.rowsAt / 2, dimensions);
    this.rows = new Int8Array(memory.buffer, this.rowsAt, count * dimensions);
    this.functions = functions.over(memory);
  }

  addToText(row: number, weight: number): void {
    const at = this.rowsAt + row * this.dimensions;
    this.functions.addRow(at, at + this.dimensions, weight, 0);
  }

  addToTerm(row: number, weight: number): void {
    const at = this.rowsAt + row * this.dimensions;
    this.functions.addRow(at, at + this.dimensions, weight, this.rowsAt / 2);
  }
}
