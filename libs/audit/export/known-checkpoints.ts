import {
  parseCheckpoint,
  type ParsedCheckpoint,
  verifyCheckpoint,
} from '../checkpoint/checkpoint.js';
import type { NoteKey } from '../checkpoint/note-key.js';
import { verifyConsistency } from '../tree/verify-proof.js';
import type { ExportManifest } from './manifest.js';

/** The checkpoints and keys that an export is compared with. */
export interface CheckpointTerms {
  /** Keys of the log. Without any, no signature is verified. */
  readonly keys?: readonly NoteKey[];
  /** Checkpoints that the reader stored elsewhere, as notes. */
  readonly checkpoints?: readonly string[];
}

/** Checkpoints that the reader stored; the tree must have their roots at their sizes. */
export class KnownCheckpoints {
  private readonly bySize = new Map<number, ParsedCheckpoint[]>();
  /** False if one of them is no checkpoint, or no known key signed it. */
  readonly areSigned: boolean;
  /** Shows whether keys verified the signatures. */
  readonly trust: 'signed' | 'unsigned';

  constructor({ keys = [], checkpoints = [] }: CheckpointTerms) {
    const heads = checkpoints.map(parseCheckpoint);
    this.trust = keys.length > 0 ? 'signed' : 'unsigned';
    this.areSigned =
      heads.every((head) => head !== null) &&
      (keys.length === 0 || checkpoints.every((note) => verifyCheckpoint(note, keys) !== null));
    for (const head of heads) {
      if (head) this.bySize.set(head.size, [...(this.bySize.get(head.size) ?? []), head]);
    }
  }

  /** Number of different sizes. */
  get size(): number {
    return this.bySize.size;
  }

  /** Size of the largest known tree. */
  get largest(): number {
    return Math.max(0, ...this.bySize.keys());
  }

  /** Reports whether no checkpoint of this size has another root. */
  allow(size: number, root: () => Buffer): boolean {
    const heads = this.bySize.get(size);
    return heads?.every((head) => head.root.equals(root())) ?? true;
  }
}

/** Compares a manifest's checkpoint with the root; returns what is wrong, or how it is signed. */
export function verifyStatedCheckpoint(
  { checkpoint, consistency, size }: ExportManifest,
  root: Buffer,
  { keys = [] }: CheckpointTerms,
): 'none' | 'unsigned' | 'signed' | 'checkpoint' | 'signature' {
  if (checkpoint === null) return consistency.length === 0 ? 'none' : 'checkpoint';
  const head = parseCheckpoint(checkpoint);
  if (!head) return 'checkpoint';
  if (keys.length > 0 && !verifyCheckpoint(checkpoint, keys)) return 'signature';
  const isConsistent = verifyConsistency({
    from: head.size,
    to: size,
    fromRoot: head.root,
    toRoot: root,
    proof: consistency.map((hash) => Buffer.from(hash, 'hex')),
  });
  if (!isConsistent) return 'checkpoint';
  return keys.length > 0 ? 'signed' : 'unsigned';
}
