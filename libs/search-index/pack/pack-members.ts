import type { ChunkMember } from '#contracts/content/chunk';

import type { PackedChunk } from './invert-chunks.js';
import { asUint32 } from './sections.js';
import { lowerBound } from './sorted-tables.js';

/** Members of a pack's chunks, in the order of the chunks. Names and parents are string ids. */
export interface PackedMembers {
  /** `chunks + 1` offsets into the others. */
  readonly offsets: Uint32Array;
  readonly names: Uint32Array;
  readonly parents: Uint32Array;
  /** Indexes into {@link KINDS}. */
  readonly kinds: Uint8Array;
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  readonly lastLines: Uint32Array;
  /** Indexes of all members by the ids of their names, then ascending. */
  readonly byName: Uint32Array;
}

/** A name with the chunks of its members, ascending, each once. */
export interface NamedMembers {
  readonly name: number;
  readonly chunks: () => Iterable<number>;
}

const KINDS: readonly ChunkMember['kind'][] = ['property', 'constant'];

const SECTIONS = {
  offsets: 'member_offsets',
  names: 'member_names',
  parents: 'member_parents',
  kinds: 'member_kinds',
  lines: 'member_lines',
  columns: 'member_columns',
  lastLines: 'member_last_lines',
  byName: 'member_name_order',
} as const;

/** Returns the members of chunks; null if there is none, as in packs of older versions. */
export function packMembers(
  packed: readonly PackedChunk[],
  stringId: ReadonlyMap<string, number>,
): PackedMembers | null {
  const offsets = new Uint32Array(packed.length + 1);
  packed.forEach(({ chunk }, at) => {
    offsets[at + 1] = (offsets[at] as number) + (chunk.members?.length ?? 0);
  });
  const all = packed.flatMap(({ chunk }) => chunk.members ?? []);
  if (all.length === 0) return null;
  const names = Uint32Array.from(all, ({ name }) => stringId.get(name) as number);
  const byName = Uint32Array.from(all, (_, at) => at);
  byName.sort((a, b) => (names[a] as number) - (names[b] as number) || a - b);
  return {
    offsets,
    names,
    parents: Uint32Array.from(all, ({ parent }) => stringId.get(parent) as number),
    kinds: Uint8Array.from(all, ({ kind }) => KINDS.indexOf(kind)),
    lines: Uint32Array.from(all, ({ line }) => line),
    columns: Uint32Array.from(all, ({ column }) => column),
    lastLines: Uint32Array.from(all, ({ last_line }) => last_line),
    byName,
  };
}

/** Returns the sections of members by their names. */
export function memberSections(
  members: PackedMembers | null,
): Readonly<Record<string, Uint8Array | Uint32Array>> {
  if (!members) return {};
  const entries = Object.entries(SECTIONS) as [keyof PackedMembers, string][];
  return Object.fromEntries(entries.map(([field, name]) => [name, members[field]]));
}

/** Reads the sections of members; null if a pack has none. */
export function membersOfPack(
  section: (name: string) => Uint8Array,
  has: (name: string) => boolean,
): PackedMembers | null {
  if (!has(SECTIONS.offsets)) return null;
  return {
    offsets: asUint32(section(SECTIONS.offsets)),
    names: asUint32(section(SECTIONS.names)),
    parents: asUint32(section(SECTIONS.parents)),
    kinds: section(SECTIONS.kinds),
    lines: asUint32(section(SECTIONS.lines)),
    columns: asUint32(section(SECTIONS.columns)),
    lastLines: asUint32(section(SECTIONS.lastLines)),
    byName: asUint32(section(SECTIONS.byName)),
  };
}

/** Returns the members of a chunk. */
export function membersAt(
  members: PackedMembers,
  chunk: number,
  stringAt: (id: number) => string,
): ChunkMember[] {
  const { offsets, names, parents, kinds, lines, columns, lastLines } = members;
  const first = offsets[chunk] as number;
  return Array.from({ length: (offsets[chunk + 1] as number) - first }, (_, i) => ({
    name: stringAt(names[first + i] as number),
    parent: stringAt(parents[first + i] as number),
    kind: KINDS[kinds[first + i] as number] ?? 'property',
    line: lines[first + i] as number,
    column: columns[first + i] as number,
    last_line: lastLines[first + i] as number,
  }));
}

/** Returns the chunks with a member of a name, ascending, each once. */
export function chunksWithMember(members: PackedMembers, name: number): Iterable<number> {
  const { names, byName } = members;
  const nameAt = (at: number) => names[byName[at] as number] as number;
  let first = 0;
  for (let end = byName.length; first < end;) {
    const middle = (first + end) >>> 1;
    if (nameAt(middle) < name) first = middle + 1;
    else end = middle;
  }
  return first < byName.length && nameAt(first) === name ? chunksFrom(members, first) : [];
}

/** Returns each name of a member, ascending. */
export function* membersByName(members: PackedMembers): Iterable<NamedMembers> {
  const { names, byName } = members;
  let known: number | undefined;
  for (const [at, member] of byName.entries()) {
    const name = names[member] as number;
    if (name === known) continue;
    known = name;
    yield { name, chunks: () => chunksFrom(members, at) };
  }
}

/** Returns the chunks of the members that have the name of the one at a place in `byName`. */
function* chunksFrom({ offsets, names, byName }: PackedMembers, first: number) {
  const name = names[byName[first] as number];
  let known: number | undefined;
  for (let at = first; at < byName.length && names[byName[at] as number] === name; at += 1) {
    const member = byName[at] as number;
    const chunk = lowerBound(offsets, member + 1, 0, offsets.length) - 1;
    if (chunk !== known) yield (known = chunk);
  }
}
