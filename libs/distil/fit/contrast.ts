import { addProducts, dotProducts, transpose } from './matrix.js';

export interface Contrast {
  /** Mean over the pairs. */
  readonly loss: number;
  /** The gradients of the loss by the vectors of the questions and of the passages. */
  readonly questions: Float32Array;
  readonly passages: Float32Array;
}

/**
 * Computes symmetric InfoNCE: each question must find its own passage in the batch, and each
 * passage its question.
 *
 * @param questions vectors of norm 1, row after row; the passage with the same number belongs to
 * it.
 */
export function contrast(
  questions: Float32Array,
  passages: Float32Array,
  { width, temperature }: { readonly width: number; readonly temperature: number },
): Contrast {
  const n = questions.length / width;
  const size = { n, m: n, width };
  const similarities = new Float32Array(n * n);
  dotProducts(questions, passages, similarities, size);
  for (let at = 0; at < similarities.length; at++)
    similarities[at] = (similarities[at] as number) / temperature;
  const turned = new Float32Array(n * n);
  transpose(similarities, turned, n, n);
  const loss = (chances(similarities, n) + chances(turned, n)) / 2;
  const back = new Float32Array(n * n);
  transpose(turned, back, n, n);
  const scale = 1 / (2 * n * temperature);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * n + j;
      similarities[at] =
        scale * ((similarities[at] as number) + (back[at] as number) - (i === j ? 2 : 0));
    }
  }
  const slopes = {
    questions: new Float32Array(questions.length),
    passages: new Float32Array(passages.length),
  };
  addProducts(similarities, passages, slopes.questions, size);
  transpose(similarities, turned, n, n);
  addProducts(turned, questions, slopes.passages, size);
  return { loss, ...slopes };
}

/**
 * Converts each row of logits into probabilities, in place.
 * @returns the mean of −ln of the probability on the diagonal.
 */
function chances(logits: Float32Array, n: number): number {
  let loss = 0;
  for (let i = 0; i < n; i++) {
    const row = logits.subarray(i * n, (i + 1) * n);
    let largest = -Infinity;
    for (let j = 0; j < n; j++) largest = Math.max(largest, row[j] as number);
    let sum = 0;
    for (let j = 0; j < n; j++) {
      const value = Math.exp((row[j] as number) - largest);
      row[j] = value;
      sum += value;
    }
    for (let j = 0; j < n; j++) row[j] = (row[j] as number) / sum;
    loss -= Math.log(Math.max(row[i] as number, 1e-30));
  }
  return loss / n;
}
