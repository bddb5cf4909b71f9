import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';

import { apply, rule } from './rule.js';
import { textProblem } from './text.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface ListOptions {
  readonly maxItems: number;
  /** Longest item in characters: Unicode code points. */
  readonly maxLength: number;
  /** @default 0 */
  readonly minItems?: number;
}

/** An array of strings that are not blank. */
export function TextList({ maxItems, maxLength, minItems = 0 }: ListOptions): PropertyDecorator {
  return apply(
    rule('textList', (value) =>
      listProblem(value, minItems, maxItems, (item) => textProblem(item, { max: maxLength })),
    ),
    ApiProperty({ type: [String], minItems, maxItems }),
  );
}

/** An array of words out of a fixed set, each at most once. */
export function ChoiceList(...choices: readonly string[]): PropertyDecorator {
  return apply(
    rule('choiceList', (value) => {
      const problem = listProblem(value, 1, choices.length, (item) =>
        typeof item === 'string' && choices.includes(item)
          ? null
          : `must be one of ${choices.join(', ')}`,
      );
      if (problem) return problem;
      return new Set(value as string[]).size === (value as string[]).length
        ? null
        : 'must not repeat an item';
    }),
    ApiProperty({ type: [String], enum: [...choices], minItems: 1, maxItems: choices.length }),
  );
}

/** An array of ids. An unknown id is for the reader to judge, a malformed one is refused. */
export function IdList(maxItems: number): PropertyDecorator {
  return apply(
    rule('idList', (value) =>
      listProblem(value, 0, maxItems, (item) =>
        typeof item === 'string' && UUID.test(item) ? null : 'must be an id (a lower-case UUID)',
      ),
    ),
    ApiProperty({ type: [String], maxItems }),
  );
}

/** GitHub's rules: an owner has no two hyphens in a row, and a name is neither `.` nor `..`. */
const REPOSITORY =
  /^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

/** An array of GitHub repositories as `owner/repo`, each at most once. */
export function RepositoryList(maxItems: number): PropertyDecorator {
  return apply(
    rule('repositoryList', (value) => {
      const problem = listProblem(value, 1, maxItems, (item) =>
        typeof item === 'string' && REPOSITORY.test(item)
          ? null
          : 'must be a GitHub repository (owner/repo)',
      );
      if (problem) return problem;
      // GitHub's names do not distinguish case.
      const names = new Set((value as string[]).map((name) => name.toLowerCase()));
      return names.size === (value as string[]).length ? null : 'must not repeat an item';
    }),
    ApiProperty({ type: [String], minItems: 1, maxItems, example: ['psf/requests'] }),
  );
}

/** An id in a query string. */
export function Id(): PropertyDecorator {
  return apply(
    rule('id', (value) =>
      typeof value === 'string' && UUID.test(value) ? null : 'must be an id (a lower-case UUID)',
    ),
    ApiProperty({ type: String, format: 'uuid' }),
  );
}

/** Turns `a,b` of a query string into a list before the other rules see it. */
export function CommaSeparated(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? splitOutsideBraces(value).map((word) => word.trim()) : value,
  );
}

/** A comma inside the braces of a glob (`*.{ts,tsx}`) does not separate. */
function splitOutsideBraces(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth = Math.max(0, depth - 1);
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function listProblem(
  value: unknown,
  minItems: number,
  maxItems: number,
  itemProblem: (item: unknown) => string | null,
): string | null {
  if (!Array.isArray(value)) return 'must be an array';
  if (value.length < minItems)
    return `must have at least ${minItems} item${minItems === 1 ? '' : 's'}`;
  if (value.length > maxItems) return `must have at most ${maxItems} items`;
  for (const [index, item] of (value as unknown[]).entries()) {
    const problem = itemProblem(item);
    if (problem) return `item ${index} ${problem}`;
  }
  return null;
}
