/** Limits of the quotation from a passage. */
export interface QuoteLimits {
  readonly sentences: number;
  readonly characters: number;
  /**
   * Whether a short passage is quoted as a whole, and a longer one with its first sentence, which
   * summarizes the rest.
   */
  readonly isSummarized?: boolean;
}

const IN_PROSE: QuoteLimits = { sentences: 3, characters: 700 };
/** Limits of the text before lines of code. */
export const IN_COMMENT: QuoteLimits = { sentences: 3, characters: 500, isSummarized: true };
/** Limits of a text that points to a place; a sentence too long for that is cut at a word. */
export const IN_BRIEF: QuoteLimits = { sentences: 1, characters: 220 };

/** Mark of text that is left out. */
const LEFT_OUT = ' … ';
/** Ends of sentences; no capital follows the period of an abbreviation. */
const SENTENCE_END = /(?<=[.!?。！？])(?:["')\]]*)(?:\s+(?=[\p{Lu}\p{Lo}`"'([])|$)/u;
const ENDED = /[.!?。！？]["')\]]*$/;
/** Sign of a quotation, and the mark of a note. */
const QUOTED = /^\s*>\s?(?:\[!\w+\]\s*)?/;
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;
const NO_PROSE = /^\s*(?:#{1,6}\s|\||```|~~~|[-=*_~^]{3,}\s*$|<|\.\. |:\w+:\s)/;
/** Announcement of code in reStructuredText: the indented lines after it are code. */
const CODE_FOLLOWS = /^\s*\.\. (?:code|code-block|sourcecode|parsed-literal)::|::\s*$/;

/**
 * Returns the sentences of a passage that score best, in their own order, as one paragraph. Without
 * a score it is the first sentence. An ellipsis marks omitted text between them.
 */
export function bestSentences(
  content: string,
  scoreOf: (text: string) => number,
  limits: QuoteLimits = IN_PROSE,
): string {
  const scored = sentencesOf(content).map((text, at) => ({ text, at, score: scoreOf(text) }));
  let room = limits.characters;
  const fitting = chosen(scored, limits).filter(
    ({ text }, index) => (room -= text.length) > 0 || index === 0,
  );
  return fitting
    .sort((a, b) => a.at - b.at)
    .map(({ text, at }, index) => {
      const before = fitting[index - 1];
      const follows = before !== undefined && before.at === at - 1 && ENDED.test(before.text);
      return `${before === undefined ? '' : follows ? ' ' : LEFT_OUT}${cut(text, limits.characters)}`;
    })
    .join('');
}

interface Scored {
  readonly text: string;
  readonly at: number;
  readonly score: number;
}

/** Selects the most specific sentences first. */
function chosen(
  scored: readonly Scored[],
  { sentences, characters, isSummarized = false }: QuoteLimits,
): Scored[] {
  const best = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at);
  if (best.length === 0) return scored.slice(0, 1);
  if (!isSummarized) return best.slice(0, sentences);
  const length = scored.reduce((sum, { text }) => sum + text.length, 0);
  return length < characters
    ? [...scored]
    : [...new Set([...scored.slice(0, 1), ...best])].slice(0, sentences);
}

/** Cuts text that is too long at a word's end, with an ellipsis. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = text.lastIndexOf(' ', characters);
  return `${text.slice(0, end > 0 ? end : characters).toWellFormed()} …`;
}

/** Returns the whole sentences, each on one line; headings, tables, code and rules are left out. */
function sentencesOf(content: string): string[] {
  const paragraphs: string[] = [];
  let open = '';
  let inFence = false;
  /** Indentation of the line that announced code; undefined outside of the code. */
  let announced: number | undefined;
  const close = () => {
    if (open !== '') paragraphs.push(open);
    open = '';
  };
  for (const raw of content.split('\n')) {
    const line = raw.replace(QUOTED, '');
    const indent = line.length - line.trimStart().length;
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    if (announced !== undefined && line.trim() !== '' && indent <= announced) announced = undefined;
    if (inFence || announced !== undefined || line.trim() === '' || NO_PROSE.test(line)) close();
    else {
      if (LIST_ITEM.test(line)) close();
      open = `${open} ${line.replace(LIST_ITEM, '').trim()}`.trim();
    }
    if (!inFence && announced === undefined && CODE_FOLLOWS.test(line)) {
      announced = indent;
      close();
    }
  }
  close();
  return paragraphs
    .flatMap((paragraph) => paragraph.split(SENTENCE_END))
    .filter((text) => text.trim() !== '');
}
