/** The request to the demo. */
export interface DemoArguments {
  /** A git URL or a folder; undefined means the repository of the current folder. */
  readonly target: string | undefined;
  readonly question: string | undefined;
}

export const DEMO_USAGE = 'usage: npm run demo -- [<git url or folder>] ["<question>"]';

/** @returns the arguments, or a sentence about what is wrong with them. */
export function parseDemoArguments(words: readonly string[]): DemoArguments | string {
  if (words.some((word) => word === '--help' || word === '-h')) return DEMO_USAGE;
  if (words.length > 2)
    return `The demo takes at most two arguments; put the question in quotes. ${DEMO_USAGE}`;
  const [target, question] = words;
  return { target, question };
}
