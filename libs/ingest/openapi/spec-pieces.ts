import { hash } from 'node:crypto';

import { isObject, type JsonObject } from './json.js';
import { partOf, pointerTo } from './references.js';

/**
 * A specification as written, cut into pieces that can change independently. Each path, webhook and
 * component is a piece, named by its pointer. `#/info` has the content of the specification as a
 * whole only; `#` is everything else, which any part may contain.
 */
export interface SpecPieces {
  /** Hash of the text of each piece. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Pieces that each piece refers to; a name may not exist. */
  readonly references: ReadonlyMap<string, readonly string[]>;
  /** Returns the specification with only these of the pieces that have a pointer of their own. */
  only(pieces: ReadonlySet<string>): JsonObject;
}

/** Piece that every part of a specification depends on. */
export const COMMON = '#';
/** Piece that describes only the specification as a whole. */
export const WHOLE = '#/info';

const TOLD_OF_THE_WHOLE = new Set(['info', 'tags', 'externalDocs']);
/** Members that Swagger 2.0 has at the top and later versions among the components. */
const SWAGGER: ReadonlyMap<string, string> = new Map([
  ['definitions', 'schemas'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
]);
/** Ways to authenticate are named, not referred to. */
const SECURITY = 'securitySchemes';
const REFERENCE = /"\$ref":("(?:[^"\\]|\\.)*")/g;

/** All pieces: a reference to a place with several pieces depends on every one. */
const ALL = '*';
/** Place of a piece: the keys of its container, and its own. */
interface Place {
  readonly piece: string;
  readonly container: readonly string[];
  readonly key: string;
  readonly value: unknown;
}

/** Cuts a specification of any dialect, as it was written. */
export function cutSpec(spec: JsonObject): SpecPieces {
  const hashes = new Map<string, string>();
  const references = new Map<string, readonly string[]>();
  const swagger = isSwagger(spec);
  const known = new Map<string, string>();
  const add = (piece: string, value: unknown): void => {
    const words = JSON.stringify(value) ?? '';
    hashes.set(piece, hash('sha256', words, 'base64url'));
    references.set(piece, referencesIn(words, swagger, known));
  };
  const { places, common, whole } = sorted(spec, swagger);
  for (const { piece, value } of places) add(piece, value);
  add(COMMON, common);
  add(WHOLE, whole);
  references.set(ALL, [...hashes.keys()]);
  return { hashes, references, only: (pieces) => filtered(spec, places, pieces) };
}

function sorted(spec: JsonObject, swagger: boolean) {
  const places: Place[] = [];
  const common: Record<string, unknown> = {};
  const whole: Record<string, unknown> = {};
  const cut = (
    container: readonly string[],
    named: readonly string[],
    values: JsonObject,
  ): void => {
    for (const [key, value] of Object.entries(values)) {
      places.push({ piece: pointerTo(...named, key), container, key, value });
    }
  };
  for (const [key, value] of Object.entries(spec)) {
    const named = namesOf(spec, key, swagger);
    if (TOLD_OF_THE_WHOLE.has(key)) whole[key] = value;
    else if (named !== undefined && isObject(value)) cut([key], named, value);
    else if (key !== 'components' || swagger || !isObject(value)) common[key] = value;
    else {
      for (const [section, components] of Object.entries(value)) {
        if (section === SECURITY) whole[section] = components;
        else if (isObject(components)) cut([key, section], [key, section], components);
        else common[`${key} ${section}`] = components;
      }
    }
  }
  return { places, common, whole };
}

/**
 * Returns the names of the pieces in a top-level member; undefined for a member that is not cut.
 */
function namesOf(spec: JsonObject, key: string, swagger: boolean): readonly string[] | undefined {
  if (key === 'paths') return [key];
  // OpenAPI 3.0 has them under the longer name; where there are both, neither is cut.
  if (key === 'webhooks' && spec['x-webhooks'] === undefined) return [key];
  if (key === 'x-webhooks' && spec['webhooks'] === undefined) return ['webhooks'];
  const section = swagger ? SWAGGER.get(key) : undefined;
  return section === undefined ? undefined : ['components', section];
}

function isSwagger(spec: JsonObject): boolean {
  return spec['openapi'] === undefined;
}

/**
 * Returns the pieces that a text refers to. @param known pieces of earlier references of this
 * specification, as written: a large one repeats few references thousands of times.
 */
function referencesIn(
  words: string,
  swagger: boolean,
  known: Map<string, string>,
): readonly string[] {
  const found = new Set<string>();
  for (const [, quoted = '""'] of words.matchAll(REFERENCE)) {
    const piece = known.get(quoted) ?? pieceOf(JSON.parse(quoted) as string, swagger);
    known.set(quoted, piece);
    found.add(piece);
  }
  return [...found];
}

/** Returns the piece that a reference leads into. */
export function pieceOf(reference: string, swagger = false): string {
  const [root = '', first, second, third] = reference.split('/', 4).map(partOf);
  if (root !== '#') return COMMON;
  if (first === 'components') {
    if (second === SECURITY) return WHOLE;
    return second === undefined || third === undefined ? ALL : pointerTo(first, second, third);
  }
  const section = swagger ? SWAGGER.get(first ?? '') : undefined;
  if (
    section === undefined &&
    first !== 'paths' &&
    first !== 'webhooks' &&
    first !== 'x-webhooks'
  ) {
    if (first === undefined) return ALL;
    return TOLD_OF_THE_WHOLE.has(first) ? WHOLE : COMMON;
  }
  if (second === undefined) return ALL;
  if (section !== undefined) return pointerTo('components', section, second);
  return pointerTo(first === 'paths' ? first : 'webhooks', second);
}

function filtered(
  spec: JsonObject,
  places: readonly Place[],
  pieces: ReadonlySet<string>,
): JsonObject {
  const copy: Record<string, unknown> = { ...spec };
  for (const [, all] of Map.groupBy(places, ({ container }) => container.join('/'))) {
    const [first = '', second] = all[0]?.container ?? [];
    const values = Object.fromEntries(
      all.flatMap(({ piece, key, value }) => (pieces.has(piece) ? [[key, value]] : [])),
    );
    copy[first] =
      second === undefined ? values : { ...(copy[first] as JsonObject), [second]: values };
  }
  return copy;
}

/** Returns the pieces themselves and all that they lead to. */
export function reachable(
  { references }: Pick<SpecPieces, 'references'>,
  from: Iterable<string>,
): Set<string> {
  const found = new Set(from);
  // The set grows during the iteration.
  for (const piece of found) for (const next of references.get(piece) ?? []) found.add(next);
  return found;
}

/** Returns the changed pieces, and those that lead to a changed one. */
export function touched(
  { hashes, references }: Pick<SpecPieces, 'hashes' | 'references'>,
  before: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const names = new Set([...hashes.keys(), ...before.keys()]);
  const changed = [...names].filter((name) => hashes.get(name) !== before.get(name));
  if (changed.includes(COMMON)) return names;
  const leadTo = new Map<string, string[]>();
  for (const [piece, targets] of references) {
    for (const target of targets) {
      const those = leadTo.get(target);
      if (those) those.push(piece);
      else leadTo.set(target, [piece]);
    }
  }
  return reachable({ references: leadTo }, changed);
}
