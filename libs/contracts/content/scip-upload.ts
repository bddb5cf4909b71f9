import { z } from 'zod';

import { blobHash, count } from '../fields.js';

/** Maximum names of SCIP indexes that one source has. */
export const MOST_SCIP_NAMES = 16;
/** Uploads of one name that are kept: the newest is used, those before are for replays. */
const KEPT_SCIP_UPLOADS = 2;
const MOST_NAME = 64;
/** Names of SCIP indexes: letters, digits, `.`, `_`, `/` and `-`. */
export const SCIP_NAME = /^[\w./-]{1,64}$/;

/** Documents of an index that are not used, by reason. */
const scipLeftOutSchema = z.object({
  /** The version has no such file, or did not index it. */
  unknown_file: count,
  /** The text in the index is not that of the version. */
  other_text: count,
  /** An earlier document has the same path. */
  repeated: count,
});

/** A SCIP index of a source that was uploaded. */
export const scipUploadSchema = z.object({
  /** Distinguishes the indexes of one source, such as one for each language. */
  name: z.string().min(1).max(MOST_NAME),
  /** The table of its occurrences. */
  blob: blobHash,
  /** Size of the blob. */
  bytes: count,
  /** The version that was indexed, and its generation. */
  version_ref: z.string(),
  generation: z.number().int().positive(),
  /** Numbers of what the table has. */
  documents: count,
  occurrences: count,
  symbols: count,
  /** Absent in events of early releases. */
  left_out: scipLeftOutSchema.optional(),
});
export type ScipUpload = z.output<typeof scipUploadSchema>;

/** Returns the uploads that a source keeps after another one, the newest first. */
export function keepScipUploads(
  uploads: readonly ScipUpload[],
  next: ScipUpload,
): readonly ScipUpload[] {
  let sameName = 0;
  return [
    next,
    ...uploads.filter(({ blob, name }) => blob !== next.blob || name !== next.name),
  ].filter(({ name }) => name !== next.name || (sameName += 1) <= KEPT_SCIP_UPLOADS);
}

/** Returns the uploads that a source keeps after the removal of some names. */
export function withoutScipNames(
  uploads: readonly ScipUpload[],
  names: readonly string[],
): readonly ScipUpload[] {
  return uploads.filter(({ name }) => !names.includes(name));
}

/** Returns the uploads that are used: the newest of each name. */
export function usedScipUploads(uploads: readonly ScipUpload[]): readonly ScipUpload[] {
  const names = new Set<string>();
  return uploads.filter(({ name }) => {
    const isNewest = !names.has(name);
    names.add(name);
    return isNewest;
  });
}

/** Returns the bytes of uploads; two names can share a blob, which counts once. */
export function scipBytes(uploads: readonly ScipUpload[]): number {
  const sizes = new Map(uploads.map(({ blob, bytes }) => [blob, bytes]));
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
