import { beforeFirst } from './before-first.js';

/** The methods that a path of an OpenAPI description may have, as it spells them. */
export const HTTP_METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const;

/** Returns the key of an endpoint: `GET /users/{id}`. */
export function endpointKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`;
}

const PARAMETER = /\{[^{}]*\}|<[^<>]*>/g;
const VALUE = /^(?::.+|\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/**
 * Returns the lookup name of an endpoint. Names and values of parameters make no difference: `get
 * /users/{id}`, `GET /users/:user_id/` and `GET /users/42?full=1` are all `GET /users/{}`. Without
 * a method, the path alone.
 */
export function endpointName(path: string, method?: string): string {
  const parts = beforeFirst(path, '?#')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (VALUE.test(part) ? '{}' : part.replace(PARAMETER, '{}')));
  const name = `/${parts.join('/')}`;
  return method === undefined ? name : endpointKey(method, name);
}
