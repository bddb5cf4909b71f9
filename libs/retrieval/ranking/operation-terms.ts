import { analyze, splitIdentifier } from '../analysis/analyze.js';
import { remember } from '../bounded-cache.js';
import { firstCharacters, type PathTerms } from './path-match.js';

/** Common verbs for a method, for one thing and for all of a kind. */
const VERBS: Readonly<Record<string, readonly [one: string, all: string]>> = {
  get: ['get read retrieve show fetch find', 'get list read retrieve show fetch find search'],
  post: ['update change modify', 'create add new make'],
  put: ['update replace set put add', 'update replace set put'],
  patch: ['update patch edit change modify', 'update patch edit change modify'],
  delete: ['delete remove cancel', 'delete remove clear'],
};
/** Words of an operation's name that its method already expresses. */
const METHOD_WORDS = new Set(
  analyze('get post put patch delete create list read update replace remove v1 v2'),
);

const MAX_CACHED = 20_000;

/**
 * Returns the terms of an operation: its name, the parts of its path that are not parameters, and
 * its method. Users ask for `create a customer`, while the specification has `POST /v1/customers`.
 */
export function operationTerms(
  endpointKey: string | undefined,
  symbol: string | undefined,
): PathTerms {
  return termsOf(`${endpointKey ?? ''}\n${symbol ?? ''}`);
}

const termsOf: (joined: string) => PathTerms = remember((joined) => {
  const [endpoint = '', symbol = ''] = joined.split('\n');
  const [method = '', path = ''] = endpoint.split(' ');
  const parts = path.split('/').filter((part) => part !== '');
  const verbs = VERBS[method.toLowerCase()]?.[parts.at(-1)?.startsWith('{') ? 0 : 1] ?? '';
  const described = wordsOf(parts.filter((part) => !part.startsWith('{')).join(' '));
  const own = symbol === '' || symbol === endpoint ? described : wordsOf(symbol);
  const name = [...new Set(own)].filter((word) => !METHOD_WORDS.has(word));
  const all = [...new Set([...own, ...described, ...analyze(`${method} ${verbs}`)])];
  return { all, name, firsts: firstCharacters(all) };
}, MAX_CACHED);

function wordsOf(name: string): string[] {
  return analyze(splitIdentifier(name.replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')).join(' '));
}
