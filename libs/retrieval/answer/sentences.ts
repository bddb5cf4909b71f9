/** Sentences that are quoted of a passage at most, and characters of them. */
const MOST = 3;
const MOST_CHARACTERS = 700;
/** Ends of sentences; an abbreviation's point is followed by no capital. */
const SENTENCE_END = /(?<=[.!?。！？])(?:["')\]]*)(?:\s+(?=[\p{Lu}\p{Lo}`"'([])|$)/u;
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;
const NO_PROSE = /^\s*(?:#{1,6}\s|\||```|~~~|[-=*_]{3,}\s*$|<)/;

/** The sentences of a passage that score best, in their own order, as one paragraph; its first one where none scores. */
export function bestSentences(content: string, scoreOf: (text: string) => number): string {
  const all = sentencesOf(content);
  const scored = all.map((text, at) => ({ text, at, score: scoreOf(text) }));
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.at - b.at);
  const taken = (best.length > 0 ? best : scored).slice(0, best.length > 0 ? MOST : 1);
  let room = MOST_CHARACTERS;
  const fitting = taken.filter(({ text }, index) => index === 0 || (room -= text.length) > 0);
  return fitting
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join(' ');
}

/** Each whole, on one line; headings, tables, code and rules are none. */
function sentencesOf(content: string): string[] {
  const paragraphs: string[] = [];
  let open = '';
  let inCode = false;
  const close = () => {
    if (open !== '') paragraphs.push(open);
    open = '';
  };
  for (const line of content.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    if (inCode || line.trim() === '' || NO_PROSE.test(line)) close();
    else {
      if (LIST_ITEM.test(line)) close();
      open = `${open} ${line.replace(LIST_ITEM, '').trim()}`.trim();
    }
  }
  close();
  return paragraphs.flatMap((paragraph) => paragraph.split(SENTENCE_END)).filter((text) => text.trim() !== '');
}
