/** A piece of an answer: text, inline code or the mark of a citation. */
export type AnswerPiece =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'mark'; readonly number: number };

/** A block of an answer. */
export type AnswerBlock =
  | { readonly kind: 'paragraph' | 'heading' | 'quote'; readonly pieces: readonly AnswerPiece[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly AnswerPiece[])[] }
  | { readonly kind: 'code'; readonly text: string };

/**
 * Parses the Markdown of an answer to blocks. HTML, images and links stay text: an answer quotes
 * content that strangers wrote, and only marks such as `[1]` lead anywhere.
 */
export function answerBlocks(answer: string): readonly AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const lines = answer.split('\n');
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fence = /^ {0,3}(`{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      const end = lines.findIndex((each, index) => index > at && each.trim() === fence);
      blocks.push({
        kind: 'code',
        text: lines.slice(at + 1, end < 0 ? undefined : end).join('\n'),
      });
      at = end < 0 ? lines.length : end + 1;
      continue;
    }
    const kind = kindOf(line);
    let last = at;
    // A heading has one line; other blocks have all following lines of their kind.
    while (
      kind !== 'heading' &&
      last + 1 < lines.length &&
      kindOf(lines[last + 1] ?? '') === kind
    ) {
      last += 1;
    }
    const own = lines.slice(at, last + 1);
    if (kind === 'list') {
      const items = own.map((each) => answerPieces(each.replace(/^ {0,8}(?:[-*]|\d{1,3}\.) /, '')));
      blocks.push({ kind, items });
    } else if (kind === 'indented') {
      blocks.push({ kind: 'code', text: own.map((each) => each.slice(4)).join('\n') });
    } else if (kind !== 'blank' && kind !== 'fence') {
      const text = own.map((each) => each.replace(/^ {0,3}(?:#{1,6} |> ?)/, '')).join('\n');
      blocks.push({ kind, pieces: answerPieces(text) });
    }
    at = last + 1;
  }
  return blocks;
}

type LineKind = 'paragraph' | 'heading' | 'quote' | 'list' | 'blank' | 'indented' | 'fence';

function kindOf(line: string): LineKind {
  if (/^ {0,3}`{3}/.test(line)) return 'fence';
  if (line.trim() === '') return 'blank';
  if (/^ {0,3}#{1,6} /.test(line)) return 'heading';
  if (/^ {0,3}>/.test(line)) return 'quote';
  if (/^ {0,3}(?:[-*]|\d{1,3}\.) /.test(line)) return 'list';
  return line.startsWith('    ') ? 'indented' : 'paragraph';
}

/** Splits a line at inline code and at the marks of citations. */
export function answerPieces(text: string): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`\n]{1,500})`|\[(\d{1,3})\]/g)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    const [whole, code, number] = match;
    pieces.push(
      code === undefined ? { kind: 'mark', number: Number(number) } : { kind: 'code', text: code },
    );
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

/** Returns the answer of research without its closing list; the page shows the citations itself. */
export function withoutCitationList(answer: string): string {
  const at = answer.lastIndexOf('## Citations\n\n1. ');
  return at < 0 || (at > 0 && answer[at - 1] !== '\n') ? answer : answer.slice(0, at);
}
