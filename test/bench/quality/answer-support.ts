import type { Evidence } from '#models';

const MARK = /\[(\d+(?:, \d+)*)\]/g;
const FENCE = /^`{3,}$/;
const CODE = /`([^`]+)`|“([^”]+)”/g;
const UNSEEN = /[\p{Cf}\uFE00-\uFE0F]/gu;
const PLACE = /^(.*?):(\d+)(?:-(\d+))?$/;
/** An ellipsis says that something is left out. */
const SENTENCE_END = /(?<=[.!?。！？])["')\]]*\s+|\s*…\s*/;

/** The parts of an answer that its evidence does not contain. */
export interface Support {
  /** Sentences of the answer's own, sentences quoted and lines of code. */
  readonly sentences: number;
  readonly unsupported: readonly string[];
}

/**
 * Checks each part of an answer against the evidence that the mark before it cites. A quoted
 * sentence is in it word for word, and a line of code is one of its lines. The answer's own
 * sentences name its files, lines and definitions, and no others. A part without a mark must name
 * nothing.
 */
export function checkSupport(answer: string, evidence: readonly Evidence[]): Support {
  let sentences = 0;
  const unsupported: string[] = [];
  const check = (text: string, isSupported: boolean): void => {
    sentences += 1;
    if (!isSupported) unsupported.push(text);
  };
  let cited: readonly Evidence[] = [];
  let inCode = false;
  for (const line of answer.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode;
    else if (inCode) check(line, saysLine(cited, line));
    else if (line.startsWith('> '))
      for (const each of sentencesOf(line.slice(2))) check(each, saysWords(cited, each));
    else if (line.trim() !== '') {
      const { own, quoted } = parts(line);
      const marks = [...own.matchAll(MARK)].flatMap(([, numbers = '']) =>
        numbers.split(', ').map(Number),
      );
      cited = marks.flatMap((number) => evidence[number - 1] ?? []);
      check(own, marks.length === cited.length && namesAreKnown(own, cited, evidence));
      for (const each of sentencesOf(quoted)) check(each, saysWords(cited, each));
    }
  }
  return { sentences, unsupported };
}

/**
 * A line of the answer's own: up to its first mark's colon it speaks itself, behind it it quotes.
 */
function parts(line: string): { readonly own: string; readonly quoted: string } {
  const [, own = line, quoted = ''] = /^(.*?\[\d+(?:, \d+)*\]): (.*)$/.exec(line) ?? [];
  return { own, quoted };
}

/** A name may also be that of other evidence: what calls the place that is cited. */
function namesAreKnown(
  own: string,
  cited: readonly Evidence[],
  evidence: readonly Evidence[],
): boolean {
  const names = [...own.matchAll(CODE)].map(([, code, words]) => code ?? words ?? '');
  return names.every(
    (name) =>
      cited.some((each) => isPlaceOf(name, each)) ||
      evidence.some(({ symbol }) => symbol !== undefined && wordsOf(symbol) === wordsOf(name)),
  );
}

function isPlaceOf(name: string, { path, startLine, content }: Evidence): boolean {
  const [, file, first, last = first] = PLACE.exec(name) ?? [];
  if (file === undefined || startLine === undefined) return wordsOf(name) === wordsOf(path);
  const end = startLine + content.split('\n').length - 1;
  return wordsOf(file) === wordsOf(path) && Number(first) >= startLine && Number(last) <= end;
}

function sentencesOf(text: string): string[] {
  return text.split(SENTENCE_END).filter((each) => wordsOf(each) !== '');
}

/** Whole words, in order: what stands around them marks a comment, or is escaped. */
function saysWords(cited: readonly Evidence[], text: string): boolean {
  return cited.some(({ content }) => ` ${wordsOf(content)} `.includes(` ${wordsOf(text)} `));
}

function saysLine(cited: readonly Evidence[], line: string): boolean {
  return cited.some(({ content }) => content.split('\n').some((each) => seen(each) === seen(line)));
}

/** Returns the visible part of a line, which is all that the reader of an answer has. */
function seen(line: string): string {
  return line.replace(UNSEEN, '').trimEnd();
}

function wordsOf(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
