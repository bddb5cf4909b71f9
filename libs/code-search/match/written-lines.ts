import type { WrittenMatches } from './line-writer.js';

/** The lines of one document in {@link WrittenMatches}. */
export interface WrittenLines {
  /** Index of the document among those of the batch. */
  readonly index: number;
  /** 0 for a document that is listed without lines. */
  readonly count: number;
  /** Returns the text and rows of its first lines, and the number of the last of them. */
  readonly first: (lines: number) => WrittenPart;
}

export interface WrittenPart {
  readonly text: Uint8Array;
  readonly evidence: Uint8Array;
  readonly lastNumber: number | undefined;
}

const DOCUMENT_COLUMNS = 4;
const LINE_COLUMNS = 3;

/** Returns the documents of written matches, in order. */
export function* writtenLines({
  numbers,
  text,
  evidence,
}: WrittenMatches): Generator<WrittenLines, void> {
  let [textStart, evidenceStart] = [0, 0];
  for (let at = 0; at < numbers.length;) {
    const [index = 0, count = 0, textEnd = 0, evidenceEnd = 0] = numbers.subarray(
      at,
      at + DOCUMENT_COLUMNS,
    );
    const lines = at + DOCUMENT_COLUMNS;
    const [fromText, fromEvidence] = [textStart, evidenceStart];
    yield {
      index,
      count,
      first: (wanted) => {
        const last = lines + (Math.min(wanted, count) - 1) * LINE_COLUMNS;
        const isAll = wanted >= count;
        return {
          text: text.subarray(fromText, isAll ? textEnd : numbers[last + 1]),
          evidence: evidence.subarray(fromEvidence, isAll ? evidenceEnd : numbers[last + 2]),
          lastNumber: count === 0 ? undefined : numbers[last],
        };
      },
    };
    [textStart, evidenceStart] = [textEnd, evidenceEnd];
    at = lines + count * LINE_COLUMNS;
  }
}
