import { analyze } from '#retrieval';

import type { ResearchPassage } from './action.types.js';
import type { Contradiction } from './check.types.js';

const MOST_LINE = 200;
const MOST_LINES = 400;
const MOST_FOUND = 3;
const MOST_VALUES = 4;
const NAMED =
  /(?<![\w.-])([A-Za-z_][\w-]{3,60})["'`]?\s*(?::\s*[\w<>|]{1,40}\s*=|:=|[:=])\s*(\S.*)$/;
const LITERAL =
  /^(?:"([^"]{1,60})"|'([^']{1,60})'|(-?\d[\w.]{0,20})|(true|false|True|False))[,;)}]*$/;

/**
 * Returns names that passages of different files give different literal values. Only names that
 * share a term with the question count: other differences are no contradiction to a reader.
 */
export function findContradictions(
  passages: readonly ResearchPassage[],
  terms: ReadonlySet<string>,
): Contradiction[] {
  const byName = new Map<string, Contradiction['values'][number][]>();
  for (const passage of passages) {
    for (const { name, value } of valuesIn(passage.result.content)) {
      if (!analyze(name).some((term) => terms.has(term))) continue;
      const values = byName.get(name) ?? [];
      const isKnown = values.some(
        (each) => each.value === value || placeOf(each.passage) === placeOf(passage),
      );
      if (!isKnown && values.length < MOST_VALUES)
        byName.set(name, [...values, { value, passage }]);
    }
  }
  return [...byName]
    .filter(([, values]) => values.length > 1)
    .slice(0, MOST_FOUND)
    .map(([name, values]) => ({ name, values }));
}

function valuesIn(content: string): { readonly name: string; readonly value: string }[] {
  return content
    .split('\n', MOST_LINES)
    .filter((line) => line.length <= MOST_LINE)
    .flatMap((line) => {
      const [, name = '', rest = ''] = NAMED.exec(line) ?? [];
      const literal = LITERAL.exec(rest.trim());
      const value = literal?.slice(1).find((each) => each !== undefined);
      return value === undefined ? [] : [{ name, value }];
    });
}

function placeOf({ repo, result }: ResearchPassage): string {
  return `${repo}\n${result.citation.path}`;
}
