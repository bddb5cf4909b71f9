const DECAY = 0.9;
const SQUARE_DECAY = 0.999;
const LEAST = 1e-8;

/** Adam over the rows that a step touches; other rows and their moments stay unchanged. */
export class SparseAdam {
  private readonly slopes: Float32Array;
  private readonly means: Float32Array;
  private readonly squares: Float32Array;
  private readonly isTouched: Uint8Array;
  private touched: number[] = [];
  private steps = 0;

  constructor(
    private readonly rows: Float32Array,
    private readonly width: number,
  ) {
    this.slopes = new Float32Array(rows.length);
    this.means = new Float32Array(rows.length);
    this.squares = new Float32Array(rows.length);
    this.isTouched = new Uint8Array(rows.length / width);
  }

  /** Adds a gradient of a row, times a factor, to the next step. */
  add(row: number, factor: number, slope: Float32Array): void {
    if (this.isTouched[row] === 0) {
      this.isTouched[row] = 1;
      this.touched.push(row);
    }
    const { slopes, width } = this;
    const from = row * width;
    for (let k = 0; k < width; k++)
      slopes[from + k] = (slopes[from + k] as number) + factor * (slope[k] as number);
  }

  step(learningRate: number): void {
    this.steps += 1;
    const { rows, slopes, means, squares, width } = this;
    const rate =
      (learningRate * Math.sqrt(1 - SQUARE_DECAY ** this.steps)) / (1 - DECAY ** this.steps);
    for (const row of this.touched) {
      for (let at = row * width; at < (row + 1) * width; at++) {
        const slope = slopes[at] as number;
        const mean = DECAY * (means[at] as number) + (1 - DECAY) * slope;
        const square = SQUARE_DECAY * (squares[at] as number) + (1 - SQUARE_DECAY) * slope * slope;
        rows[at] = (rows[at] as number) - (rate * mean) / (Math.sqrt(square) + LEAST);
        means[at] = mean;
        squares[at] = square;
        slopes[at] = 0;
      }
      this.isTouched[row] = 0;
    }
    this.touched = [];
  }
}
