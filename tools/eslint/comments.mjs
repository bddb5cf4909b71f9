/**
 * Joins line comments that follow each other: a phrase may continue on the next line.
 *
 * @returns {{isLine: boolean, isDoc: boolean, lines: string[], loc: object}[]} the comments without
 * their delimiters, in their order
 */
export function commentBlocks(comments) {
  const blocks = [];
  for (const { type, value, loc } of comments) {
    const last = blocks.at(-1);
    if (type === 'Line' && last?.isLine && last.loc.end.line + 1 === loc.start.line) {
      last.lines.push(value);
      last.loc = { start: last.loc.start, end: loc.end };
    } else {
      const isLine = type === 'Line';
      const lines = isLine ? [value] : value.replace(/^\s*\*/gm, '').split('\n');
      blocks.push({ isLine, isDoc: !isLine && value.startsWith('*'), lines, loc });
    }
  }
  return blocks;
}
