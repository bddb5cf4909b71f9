import { parseCheckpoint, type TreeHead, verifyCheckpoint } from '../checkpoint/checkpoint.js';
import type { NoteKey } from '../checkpoint/note-key.js';
import { verifyConsistency } from '../tree/verify-proof.js';
import type { AddCheckpoint } from './add-checkpoint.js';

/** The last head of a log that a witness cosigned. */
export interface WitnessedHead {
  readonly size: number;
  readonly root: Buffer;
}

/** The answer of a witness to a request, by the status that `tlog-witness` demands. */
export type Examination =
  /** 200: the checkpoint extends what the witness knows. */
  | { readonly status: 200; readonly head: TreeHead; readonly text: string }
  /** 400: no request, or a smaller tree than its old size; 403: not signed; 404: unknown log. */
  | { readonly status: 400 | 403 | 404 }
  /** 409: the old size is another than the witness's, or the same size has another root. */
  | { readonly status: 409; readonly size: number }
  /** 422: the proof does not show that the tree only grew. */
  | { readonly status: 422 };

/**
 * Decides about a request.
 * @param keys of the logs that the witness knows; their names are the origins.
 * @param known returns the last head of an origin that the witness cosigned, or null.
 */
export function examineCheckpoint(
  { oldSize, proof, checkpoint }: AddCheckpoint,
  keys: readonly NoteKey[],
  known: (origin: string) => WitnessedHead | null,
): Examination {
  const parsed = parseCheckpoint(checkpoint);
  if (!parsed) return { status: 400 };
  const { origin, size, root, note } = parsed;
  const ofLog = keys.filter(({ name }) => name === origin);
  if (ofLog.length === 0) return { status: 404 };
  if (!verifyCheckpoint(checkpoint, ofLog, origin)) return { status: 403 };
  if (oldSize > size) return { status: 400 };
  const last = known(origin);
  if (oldSize !== (last?.size ?? 0)) return { status: 409, size: last?.size ?? 0 };
  if (last && size === last.size && !root.equals(last.root)) return { status: 409, size };
  const head = { origin, size, root };
  const text = note.text;
  // Every tree begins with the empty one; its proof has no hashes.
  if (!last) return proof.length === 0 ? { status: 200, head, text } : { status: 422 };
  const claim = { from: oldSize, to: size, fromRoot: last.root, toRoot: root, proof };
  return verifyConsistency(claim) ? { status: 200, head, text } : { status: 422 };
}
