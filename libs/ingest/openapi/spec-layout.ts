import { pointerTo } from './references.js';

/** Members that Swagger 2.0 has at the top and later versions among the components. */
export const SWAGGER: ReadonlyMap<string, string> = new Map([
  ['definitions', 'schemas'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
]);
/** Ways to authenticate are named, not referred to. */
export const SECURITY = 'securitySchemes';

const PATHS: ReadonlyMap<string, string> = new Map([
  ['paths', 'paths'],
  ['webhooks', 'webhooks'],
  ['x-webhooks', 'webhooks'],
]);

/** Returns whether a member of the object at a path may have pieces, in any dialect. */
export function containersIn(path: readonly string[]): (key: string) => boolean {
  if (path.length === 0) return (key) => PATHS.has(key) || SWAGGER.has(key) || key === 'components';
  if (path.length === 1 && path[0] === 'components') return (key) => key !== SECURITY;
  return () => false;
}

/**
 * Returns the name that a member of the object at a path has as a piece; undefined if no dialect
 * has pieces there.
 */
export function pieceName(path: readonly string[], key: string): string | undefined {
  const [first = '', second] = path;
  if (path.length === 2 && first === 'components') return pointerTo(first, second ?? '', key);
  if (path.length !== 1) return undefined;
  const section = SWAGGER.get(first);
  if (section !== undefined) return pointerTo('components', section, key);
  const named = PATHS.get(first);
  return named === undefined ? undefined : pointerTo(named, key);
}
