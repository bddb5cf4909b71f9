import { MAX_NOTE_BYTES } from '../checkpoint/signed-note.js';
import { HASH_BYTES } from '../tree/hashing.js';

/** A request for a cosignature (C2SP `tlog-witness`, call `add-checkpoint`). */
export interface AddCheckpoint {
  /** Size of the last checkpoint that the witness cosigned; 0 if none. */
  readonly oldSize: number;
  /** Consistency proof from that size to the checkpoint. */
  readonly proof: readonly Buffer[];
  /** Signed note. */
  readonly checkpoint: string;
}

/** Largest body of a request, in bytes. */
export const MAX_ADD_CHECKPOINT_BYTES = MAX_NOTE_BYTES + 4_096;
const MAX_PROOF_LINES = 63;
const OLD = /^old (?<size>0|[1-9][0-9]{0,15})$/;

/** Returns the body of a request. @throws RangeError for a longer proof than witnesses accept. */
export function formatAddCheckpoint({ oldSize, proof, checkpoint }: AddCheckpoint): string {
  if (proof.length > MAX_PROOF_LINES)
    throw new RangeError(`a proof must have at most 63 hashes (got ${proof.length})`);
  const lines = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  return `old ${oldSize}\n${lines}\n${checkpoint}`;
}

/** Returns the parts of a body, or null for any other text. */
export function parseAddCheckpoint(body: string): AddCheckpoint | null {
  if (body.length > MAX_ADD_CHECKPOINT_BYTES) return null;
  const end = body.indexOf('\n\n');
  if (end < 0) return null;
  const [old = '', ...lines] = body.slice(0, end).split('\n');
  const oldSize = Number(OLD.exec(old)?.groups?.['size'] ?? NaN);
  if (!Number.isSafeInteger(oldSize) || lines.length > MAX_PROOF_LINES) return null;
  const proof = lines.map((line) => Buffer.from(line, 'base64'));
  const areHashes = proof.every(
    (hash, at) => hash.length === HASH_BYTES && hash.toString('base64') === lines[at],
  );
  return areHashes ? { oldSize, proof, checkpoint: body.slice(end + 2) } : null;
}
