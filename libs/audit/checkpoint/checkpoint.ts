import { HASH_BYTES } from '../tree/hashing.js';
import type { NoteKey, NoteSigner } from './note-key.js';
import {
  formatNote,
  type NoteSignature,
  parseNote,
  type SignedNote,
  signText,
  type VerifiedSignature,
  verifyNote,
} from './signed-note.js';

/** The head of a tree at one size (C2SP `tlog-checkpoint`). */
export interface TreeHead {
  /** Identifies the log and the tenant; also the name of the key that signs. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  readonly root: Buffer;
}

/** A checkpoint that was read; nothing is verified yet. */
export interface ParsedCheckpoint extends TreeHead {
  readonly note: SignedNote;
}

/** A checkpoint that keys of the log signed. */
export interface VerifiedCheckpoint extends TreeHead {
  readonly signatures: readonly VerifiedSignature[];
}

const MAX_ORIGIN_LENGTH = 255;
const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;

/** Returns the text that is signed. @throws RangeError for a head that cannot be written. */
export function checkpointText({ origin, size, root }: TreeHead): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  if (!parseText(text)) {
    throw new RangeError(
      `a checkpoint must have one line of origin, a size from 0 and a root of 32 bytes (got ${JSON.stringify(text)})`,
    );
  }
  return text;
}

/** Returns a checkpoint as a note that each signer signed. */
export function signCheckpoint(head: TreeHead, signers: readonly NoteSigner[]): string {
  const text = checkpointText(head);
  return formatNote({ text, signatures: signers.map((signer) => signText(text, signer)) });
}

/** Returns a note with further signatures, such as those of witnesses. */
export function addSignatures(
  checkpoint: ParsedCheckpoint,
  signatures: readonly NoteSignature[],
): string {
  const { text, signatures: first } = checkpoint.note;
  return formatNote({ text, signatures: [...first, ...signatures] });
}

/** Returns the parts of a checkpoint, or null for any other text. */
export function parseCheckpoint(text: string): ParsedCheckpoint | null {
  const note = parseNote(text);
  const head = note && parseText(note.text);
  return head && { ...head, note };
}

/**
 * Returns the checkpoint if a key of the log signed it. Returns null for a text that is no
 * checkpoint or of another origin. Also null without a signature of a known key, or with a wrong
 * one. A cosignature alone is not enough.
 */
export function verifyCheckpoint(
  text: string,
  keys: readonly NoteKey[],
  origin?: string,
): VerifiedCheckpoint | null {
  const parsed = parseCheckpoint(text);
  if (!parsed || (origin !== undefined && parsed.origin !== origin)) return null;
  const signatures = verifyNote(parsed.note, keys);
  const byLog = signatures?.some(({ key }) => key.type === 'ed25519' && key.name === parsed.origin);
  if (!signatures || !byLog) return null;
  return { origin: parsed.origin, size: parsed.size, root: parsed.root, signatures };
}

function parseText(text: string): TreeHead | null {
  const [origin = '', size = '', encoded = '', ...extensions] = text.split('\n');
  const root = Buffer.from(encoded, 'base64');
  // The last line is empty, since the text ends with a line feed; no other line may be.
  if (extensions.indexOf('') !== extensions.length - 1 || extensions.length === 0) return null;
  if (origin === '' || origin.length > MAX_ORIGIN_LENGTH) return null;
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size))) return null;
  if (root.length !== HASH_BYTES || root.toString('base64') !== encoded) return null;
  return { origin, size: Number(size), root };
}
