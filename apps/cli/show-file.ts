import { InvalidArgumentError, Option } from 'commander';

import type { SourceFileView } from '#contracts/http/index';

import { plainText } from './plain-text.js';
import type { Session } from './session.js';

/** The first and the last of the wanted lines. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the option for a range of lines. */
export function linesOption(): Option {
  return new Option('--lines <from:to>', 'a range of lines').argParser(lineRange);
}

/** Writes lines of a file, or its whole text. */
export function showFile(session: Session, file: SourceFileView | string): void {
  const { terminal } = session;
  if (typeof file === 'string') return terminal.raw(shown(session, file));
  if (terminal.mode === 'json') return terminal.object(file);
  file.lines.forEach((each) => terminal.line(shown(session, each)));
}

/** Returns text as it is for a file or pipe, and with escapes for a terminal. */
function shown({ terminal }: Session, text: string): string {
  return terminal.isInteractive ? plainText(text) : text;
}

function lineRange(text: string): LineRange {
  const [, from, to] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new InvalidArgumentError('It must be two line numbers, such as 10:20');
  }
  return { from: Number(from), to: Number(to) };
}
