import type { RoverBudget } from '#contracts';

import { parseJsonObject } from './json-object.js';
import { integer, InvalidValueError, type Parser } from './parsers.js';
import { variable } from './variable.js';

const MOST = 10_000_000;

const FAST: RoverBudget = {
  seconds: 60,
  rounds: 1,
  repositories: 3,
  searches: 12,
  model_calls: 2,
  prompt_tokens: 50_000,
};

const DEEP: RoverBudget = {
  seconds: 900,
  rounds: 4,
  repositories: 10,
  searches: 60,
  model_calls: 20,
  prompt_tokens: 200_000,
};

/** Research jobs over repositories. */
export const ROVER_VARIABLES = {
  ROVER_FAST: variable(
    budget(FAST),
    JSON.stringify(FAST),
    'Budget of a rover job in mode `fast`, as JSON; ' +
      'fields that it omits have the defaults shown here.',
  ),
  ROVER_DEEP: variable(
    budget(DEEP),
    JSON.stringify(DEEP),
    'Budget of a rover job in mode `deep`, likewise.',
  ),
  ROVER_JOBS: variable(
    integer(1, 100),
    '2',
    'Rover jobs that a pipeline process works on at once; ' +
      'one tenant has at most half of them, rounded up.',
  ),
  ROVER_CACHE_CHUNKS: variable(
    integer(0, 1_000_000_000),
    '500000',
    'Maximum chunks (about 2 KiB of disk each) of repositories that rover jobs read; ' +
      'beyond it, the least recently used are removed.',
  ),
  ROVER_CACHE_DAYS: variable(
    integer(1, 3_650),
    '7',
    'A repository that no rover job used for this long is removed.',
  ),
} as const;

/** Reads a budget; fields that it omits have their defaults. */
function budget(defaults: RoverBudget): Parser<RoverBudget> {
  const names = Object.keys(defaults);
  const rule =
    `a budget as JSON, such as {"seconds":90}: ${names.join(', ')}, ` +
    `each an integer from 1 to ${MOST}`;
  return (value) => {
    const written = parseJsonObject(value, rule);
    for (const [name, limit] of Object.entries(written)) {
      const isNumber = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MOST;
      if (!names.includes(name) || !isNumber) throw new InvalidValueError(rule);
    }
    return Object.freeze({ ...defaults, ...written });
  };
}
