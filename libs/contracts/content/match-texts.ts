/** A matching line with the lines around it. */
export interface ShownLine {
  readonly number: number;
  readonly text: string;
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
}

/**
 * Returns a matching line and those around it as text: `path:line:text`, and `path-line-text` for
 * the lines around it.
 */
export function matchTexts(path: string, line: ShownLine): string[] {
  const { number, text, before = [], after = [] } = line;
  return [
    ...before.map((each, at) => `${path}-${number - before.length + at}-${each}`),
    `${path}:${number}:${text}`,
    ...after.map((each, at) => `${path}-${number + 1 + at}-${each}`),
  ];
}
