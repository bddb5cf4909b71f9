import { hash } from 'node:crypto';

import type { JsonObject } from './json.js';
import { partOf, pointerTo } from './references.js';
import { SECURITY, SWAGGER } from './spec-layout.js';
import type { SpecMember } from './spec-members.js';
import { type KnownText, NOTHING_REMEMBERED, type SpecMemory } from './spec-memory.js';

/**
 * A specification as written, cut into pieces that can change independently. Each path, webhook and
 * component is a piece, named by its pointer. `#/info` has the content of the specification as a
 * whole only; `#` is everything else, which any part may contain.
 */
export interface SpecPieces {
  /** Hash of the value of each piece. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Texts of the pieces that have a pointer of their own, for a specification in JSON. */
  readonly texts: ReadonlyMap<string, KnownText>;
  readonly swagger: boolean;
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
const REFERENCE = /"\$ref":("(?:[^"\\]|\\.)*")/g;

/** All pieces: a reference to a place with several pieces depends on every one. */
const ALL = '*';
/** Place of a piece: the keys of its container, and its own member. */
interface Place {
  readonly piece: string;
  readonly container: readonly string[];
  readonly member: SpecMember;
}

/**
 * Cuts a specification of any dialect, as it was written. A piece whose text is that of the
 * previous reading is not parsed.
 */
export function cutSpec(
  spec: readonly SpecMember[],
  before: Pick<SpecMemory, 'texts' | 'swagger'> = NOTHING_REMEMBERED,
): SpecPieces {
  const hashes = new Map<string, string>();
  const references = new Map<string, readonly string[]>();
  const texts = new Map<string, KnownText>();
  const swagger = isSwagger(spec);
  const known = swagger === before.swagger ? before.texts : NOTHING_REMEMBERED.texts;
  const read = new Map<string, string>();
  const add = (piece: string, value: unknown): void => {
    const words = JSON.stringify(value) ?? '';
    hashes.set(piece, hash('sha256', words, 'base64url'));
    references.set(piece, referencesIn(words, swagger, read));
  };
  const { places, common, whole } = sorted(spec, swagger);
  for (const { piece, member } of places) {
    const same = known.get(piece);
    if (same && same.text === member.text?.text) {
      hashes.set(piece, same.hash);
      references.set(piece, same.references);
    } else add(piece, member.value());
    if (!member.text) continue;
    const { bytes, text } = member.text;
    const [ofValue = '', targets = []] = [hashes.get(piece), references.get(piece)];
    texts.set(piece, { bytes, text, hash: ofValue, references: targets });
  }
  add(COMMON, valuesOf(common));
  add(WHOLE, valuesOf(whole));
  references.set(ALL, [...hashes.keys()]);
  const only = (pieces: ReadonlySet<string>) => filtered(spec, places, pieces);
  return { hashes, references, texts, swagger, only };
}

type Named = readonly [string, SpecMember];

function valuesOf(members: readonly Named[]): JsonObject {
  return Object.fromEntries(members.map(([name, member]) => [name, member.value()]));
}

function sorted(spec: readonly SpecMember[], swagger: boolean) {
  const places: Place[] = [];
  const common: Named[] = [];
  const whole: Named[] = [];
  const cut = (
    container: readonly string[],
    named: readonly string[],
    members: readonly SpecMember[],
  ): void => {
    for (const member of members)
      places.push({ piece: pointerTo(...named, member.key), container, member });
  };
  for (const member of spec) {
    const { key, members } = member;
    const named = namesOf(spec, key, swagger);
    if (TOLD_OF_THE_WHOLE.has(key)) whole.push([key, member]);
    else if (named !== undefined && members) cut([key], named, members);
    else if (key !== 'components' || swagger || !members) common.push([key, member]);
    else {
      for (const section of members) {
        if (section.key === SECURITY) whole.push([SECURITY, section]);
        else if (section.members) cut([key, section.key], [key, section.key], section.members);
        else common.push([`${key} ${section.key}`, section]);
      }
    }
  }
  return { places, common, whole };
}

/**
 * Returns the names of the pieces in a top-level member; undefined for a member that is not cut.
 */
function namesOf(
  spec: readonly SpecMember[],
  key: string,
  swagger: boolean,
): readonly string[] | undefined {
  if (key === 'paths') return [key];
  // OpenAPI 3.0 has them under the longer name; where there are both, neither is cut.
  if (key === 'webhooks' && !has(spec, 'x-webhooks')) return [key];
  if (key === 'x-webhooks' && !has(spec, 'webhooks')) return ['webhooks'];
  const section = swagger ? SWAGGER.get(key) : undefined;
  return section === undefined ? undefined : ['components', section];
}

function isSwagger(spec: readonly SpecMember[]): boolean {
  return !has(spec, 'openapi');
}

function has(spec: readonly SpecMember[], name: string): boolean {
  return spec.some(({ key }) => key === name);
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
  spec: readonly SpecMember[],
  places: readonly Place[],
  pieces: ReadonlySet<string>,
): JsonObject {
  const chosen = Map.groupBy(places, ({ container }) => container.join('/'));
  const valueOf = (member: SpecMember, path: readonly string[]): unknown => {
    const all = chosen.get(path.join('/'));
    if (all) {
      const wanted = all.filter(({ piece }) => pieces.has(piece));
      return Object.fromEntries(wanted.map(({ member: one }) => [one.key, one.value()]));
    }
    const isCutBelow = path.length === 1 && path[0] === 'components';
    return isCutBelow && member.members ? ofMembers(member.members, path) : member.value();
  };
  const ofMembers = (members: readonly SpecMember[], path: readonly string[]): JsonObject =>
    Object.fromEntries(members.map((one) => [one.key, valueOf(one, [...path, one.key])]));
  return ofMembers(spec, []);
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
