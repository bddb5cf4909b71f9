import {
  type ChunkDefinition,
  DEFINITION_KINDS,
  type DefinitionPlace,
} from '#contracts/content/chunk';

/**
 * Kinds and places of the names of a pack's definitions, in the order of the definitions. A line of
 * 0 stands for a definition of an older version without a place.
 */
export interface DefinitionPlaces {
  /** Indexes into `DEFINITION_KINDS`. */
  readonly kinds: Uint8Array;
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  readonly lastLines: Uint32Array;
}

/** Sections of the places; missing from older packs. */
export const PLACE_SECTIONS = {
  kinds: 'definition_kinds',
  lines: 'definition_lines',
  columns: 'definition_columns',
  lastLines: 'definition_last_lines',
} as const;

/** Returns the places of definitions; null if none has one. */
export function packPlaces(all: readonly ChunkDefinition[]): DefinitionPlaces | null {
  if (all.every(({ place }) => place === undefined)) return null;
  const numbers = (field: 'line' | 'column' | 'last_line'): Uint32Array =>
    Uint32Array.from(all, ({ place }) => place?.[field] ?? 0);
  return {
    kinds: Uint8Array.from(all, ({ place }) =>
      DEFINITION_KINDS.indexOf(place?.kind ?? 'definition'),
    ),
    lines: numbers('line'),
    columns: numbers('column'),
    lastLines: numbers('last_line'),
  };
}

/** Returns the place of a definition; undefined if it was not recorded. */
export function placeOf(
  { kinds, lines, columns, lastLines }: DefinitionPlaces,
  at: number,
): DefinitionPlace | undefined {
  const line = lines[at] ?? 0;
  if (line === 0) return undefined;
  return {
    kind: DEFINITION_KINDS[kinds[at] as number] ?? 'definition',
    line,
    column: columns[at] as number,
    last_line: lastLines[at] as number,
  };
}
