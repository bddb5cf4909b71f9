import { analyse, splitIdentifier } from '../analysis/analyse.js';
import { remember } from '../bounded-cache.js';
import type { PathTerms } from './path-match.js';

/** What people say for a method, of a thing and of all of a kind. */
const VERBS: Readonly<Record<string, readonly [one: string, all: string]>> = {
  get: ['get read retrieve show fetch find', 'get list read retrieve show fetch find search'],
  post: ['update change modify', 'create add new make'],
  put: ['update replace set put add', 'update replace set put'],
  patch: ['update patch edit change modify', 'update patch edit change modify'],
  delete: ['delete remove cancel', 'delete remove clear'],
};
/** Words of an operation's name that its method says too. */
const METHOD_WORDS = new Set(
  analyse('get post put patch delete create list read update replace remove v1 v2'),
);

const MAX_CACHED = 20_000;

/**
 * What an operation says by its name, the parts of its path that are no parameters, and its method:
 * what people ask for as `create a customer` is `POST /v1/customers` to whoever wrote it.
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
  const said = wordsOf(parts.filter((part) => !part.startsWith('{')).join(' '));
  const own = symbol === '' || symbol === endpoint ? said : wordsOf(symbol);
  const name = [...new Set(own)].filter((word) => !METHOD_WORDS.has(word));
  return { all: [...new Set([...own, ...said, ...analyse(`${method} ${verbs}`)])], name };
}, MAX_CACHED);

function wordsOf(name: string): string[] {
  return analyse(splitIdentifier(name.replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')).join(' '));
}
