import { FootnoteError, isFootnoteError } from '#contracts';

/** A call that cannot succeed as it is: a sentence that names the next call. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem';
}

/**
 * Returns the text of a failed call for an agent: the rule that it broke, the wait, the code. Null
 * for an error that is no answer to the caller's input.
 */
export function problemText(error: unknown): string | null {
  if (error instanceof ToolProblem) return error.message;
  if (!isFootnoteError(error)) return null;
  return [sentence(error), wait(error), `(code: ${error.code})`].filter(Boolean).join(' ');
}

function sentence({ message, details }: FootnoteError): string {
  const fields = (details ?? []).map((problem) => `${problem.field} ${problem.message}`);
  const missing = fields.filter((field) => !message.includes(field));
  return [message, ...missing].map((part) => part.replace(/\.?$/, '.')).join(' ');
}

function wait({ retryAfter }: FootnoteError): string {
  if (retryAfter === undefined) return '';
  return `Wait ${retryAfter} s and call again.`;
}
