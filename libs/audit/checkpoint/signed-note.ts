import { isKeyName, type NoteKey, type NoteSigner, verifySignature } from './note-key.js';

/** Largest note, in bytes of UTF-8. */
export const MAX_NOTE_BYTES = 65_536;
/** Most signatures of a note. */
const MAX_SIGNATURES = 64;

/** One signature line. */
export interface NoteSignature {
  readonly name: string;
  /** Id of the key, eight hex digits. */
  readonly id: string;
  /** The bytes after the id; their format depends on the type of the key. */
  readonly bytes: Buffer;
}

/** A text with signatures (C2SP `signed-note`); nothing is verified yet. */
export interface SignedNote {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A signature that verified. */
export interface VerifiedSignature {
  readonly key: NoteKey;
  /** Seconds since 1970; cosignatures alone have it. */
  readonly timestamp: number | null;
}

/** Returns the note as text. @throws RangeError for a text that notes cannot hold. */
export function formatNote({ text, signatures }: SignedNote): string {
  const lines = signatures.map((signature) => `${formatNoteSignature(signature)}\n`);
  const note = `${text}\n${lines.join('')}`;
  if (parseNote(note)?.text !== text)
    throw new RangeError('a note must end with a line feed and have no control characters');
  return note;
}

/** Returns the line of a signature, without a line feed. */
export function formatNoteSignature({ name, id, bytes }: NoteSignature): string {
  return `— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), bytes]).toString('base64')}`;
}

/** Returns the parts of a note, or null for a text that is no note or is too large. */
export function parseNote(note: string): SignedNote | null {
  if (note.length > MAX_NOTE_BYTES || Buffer.byteLength(note) > MAX_NOTE_BYTES) return null;
  // Control characters below U+0020 but the line feed; those from U+007F are allowed.
  if (!note.isWellFormed() || /[^\P{Cc}\n\u007f-\u009f]/u.test(note)) return null;
  const end = note.lastIndexOf('\n\n');
  if (end < 1 || !note.endsWith('\n')) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return null;
  const signatures = lines.map(parseNoteSignature).filter((signature) => signature !== null);
  return signatures.length === lines.length ? { text: note.slice(0, end + 1), signatures } : null;
}

/** Returns the signature of a signer over a text. */
export function signText(text: string, { key, sign }: NoteSigner): NoteSignature {
  return { name: key.name, id: key.id, bytes: sign(Buffer.from(text)) };
}

/** Returns the cosignature of a signer over the text of a checkpoint (C2SP `tlog-cosignature`). */
export function cosignText(
  text: string,
  { key, sign }: NoteSigner,
  seconds: number,
): NoteSignature {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(seconds));
  const bytes = Buffer.concat([time, sign(cosignedMessage(text, BigInt(seconds)))]);
  return { name: key.name, id: key.id, bytes };
}

/**
 * Returns which keys signed a note: null if the signature of a known key is wrong, or if no known
 * key signed. Signatures of unknown keys are ignored, as the specification demands.
 */
export function verifyNote(
  { text, signatures }: SignedNote,
  keys: readonly NoteKey[],
): readonly VerifiedSignature[] | null {
  const verified = new Map<NoteKey, VerifiedSignature>();
  for (const signature of signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.id);
    if (!key || verified.has(key)) continue;
    const result = verifyOne(text, signature.bytes, key);
    if (!result) return null;
    verified.set(key, result);
  }
  return verified.size > 0 ? [...verified.values()] : null;
}

function verifyOne(text: string, bytes: Buffer, key: NoteKey): VerifiedSignature | null {
  if (key.type === 'ed25519')
    return verifySignature(key, Buffer.from(text), bytes) ? { key, timestamp: null } : null;
  if (bytes.length !== 8 + 64) return null;
  const seconds = bytes.readBigUInt64BE();
  if (seconds > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const message = cosignedMessage(text, seconds);
  return verifySignature(key, message, bytes.subarray(8))
    ? { key, timestamp: Number(seconds) }
    : null;
}

function cosignedMessage(text: string, seconds: bigint): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** Returns the signature of a line without its line feed, or null for any other text. */
export function parseNoteSignature(line: string): NoteSignature | null {
  const [dash, name = '', encoded = '', ...rest] = line.split(' ');
  if (dash !== '—' || rest.length > 0 || !isKeyName(name)) return null;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length < 5 || bytes.toString('base64') !== encoded) return null;
  return { name, id: bytes.toString('hex', 0, 4), bytes: bytes.subarray(4) };
}
