import type { CodeSearchResponseView } from '#contracts/http/index';

import { plainText } from './plain-text.js';
import type { Session } from './session.js';

/** Writes the matches of a code search; without a match the exit code is 1. */
export function showMatches(session: Session, answer: CodeSearchResponseView): void {
  const { terminal } = session;
  if (answer.count === 0) session.negative();
  if (terminal.mode === 'json') return terminal.line(JSON.stringify(answer));
  for (const { source_name, path: file, lines } of answer.files) {
    for (const { number, text, before = [], after = [] } of lines) {
      const place = `${source_name} ${file}`;
      before.forEach((each, at) =>
        terminal.line(plainText(`${place}-${number - before.length + at}-${each}`)),
      );
      terminal.line(plainText(`${place}:${number}:${text}`));
      after.forEach((each, at) => terminal.line(plainText(`${place}-${number + 1 + at}-${each}`)));
    }
  }
  for (const hint of [...answer.warnings, ...answer.hints]) terminal.note(hint);
  if (!answer.complete) terminal.note('There are more matches; narrow the search or raise --limit');
}
