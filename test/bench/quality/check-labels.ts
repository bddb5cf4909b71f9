import type { ParsedDocument } from '#ingest';

import type { AnswerPlace, QuestionSet } from './question-set.js';

/**
 * Returns the problems of the labels of a set. A label may name a file that is not indexed, or
 * lines that the file does not have. Its quoted words may be missing from these lines.
 */
export function labelProblems(
  { questions }: Pick<QuestionSet, 'questions'>,
  documents: readonly Pick<ParsedDocument, 'path' | 'text'>[],
): string[] {
  const texts = new Map(documents.map(({ path, text }) => [path, text.split('\n')]));
  return questions.flatMap(({ id, primary, acceptable }) => [
    ...(primary.length === 0 ? [`${id}: no primary place`] : []),
    ...[...primary, ...acceptable].flatMap((place) => {
      const problem = placeProblem(place, texts.get(place.path));
      return problem === undefined ? [] : [`${id}: ${place.path}: ${problem}`];
    }),
  ]);
}

function placeProblem(
  { lines, words }: AnswerPlace,
  text: readonly string[] | undefined,
): string | undefined {
  if (!text) return 'the file is not indexed';
  const [first, last] = lines ?? [1, text.length];
  if (first < 1 || last < first || last > text.length)
    return `lines ${first} to ${last} are outside of 1 to ${text.length}`;
  const passage = text
    .slice(first - 1, last)
    .map(withoutMarks)
    .join(' ')
    .replace(/\s+/g, ' ');
  if (words !== undefined && !passage.includes(words))
    return `lines ${first} to ${last} lack ${JSON.stringify(words)}`;
  return undefined;
}

/** Removes the marks of comments, so that words may continue on the next line. */
function withoutMarks(line: string): string {
  return line.replace(/^[\s*/#]+|[\s*/#]+$/g, '');
}
