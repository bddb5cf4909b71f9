import { CHUNK_TYPES, type ChunkType } from '#contracts/content/chunk';

/** Numbers of the chunk types in the columns of a ranking: indexes into CHUNK_TYPES. */
export const CODE = typeNumber('code');
export const DOCS = typeNumber('docs');
export const OPENAPI = typeNumber('openapi');

/** Returns the number of a chunk type. */
export function typeNumber(type: ChunkType): number {
  return CHUNK_TYPES.indexOf(type);
}
