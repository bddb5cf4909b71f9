import { z } from 'zod';

import type { RankedRepository } from '../plan/repository.types.js';
import { fenced, Listing } from './listing.js';
import { DATA_RULE, type ModelTask } from './model-task.types.js';

const SCHEMA = z.object({ repositories: z.array(z.string()) });
type ChooseAnswer = z.output<typeof SCHEMA>;

/** Candidates that a model sees, by rank. */
export const MOST_CANDIDATES = 20;
const MOST_DESCRIPTION = 300;

/** Returns the task to choose repositories among ranked candidates; null without a choice. */
export function chooseTask(
  question: string,
  ranked: readonly RankedRepository[],
  limit: number,
): ModelTask<ChooseAnswer, RankedRepository[]> | null {
  if (ranked.length < 2) return null;
  const candidates = new Listing('r', ranked.slice(0, MOST_CANDIDATES));
  return {
    name: 'choice',
    schema: SCHEMA,
    instructions:
      `You choose GitHub repositories whose code answers a question. ${DATA_RULE} ` +
      `Put into \`repositories\` at most ${limit} ids, the most useful first.`,
    text: `Question:\n${fenced(question)}\n\nRepositories:\n${candidates.shown(described)}`,
    read: ({ repositories }) => {
      const problem = candidates.problem(repositories);
      if (problem !== null) return { problem };
      const chosen = candidates.pick(repositories).slice(0, limit);
      return chosen.length > 0 ? { plan: chosen } : { problem: 'Choose at least one repository' };
    },
  };
}

function described({ repo, description, stars, isArchived, isFork }: RankedRepository): string {
  const facts = [`${stars} stars`, isArchived ? 'archived' : '', isFork ? 'a fork' : ''];
  const about = (description ?? '').slice(0, MOST_DESCRIPTION).toWellFormed();
  return `${repo} (${facts.filter((fact) => fact !== '').join(', ')}) ${about}`.trim();
}
