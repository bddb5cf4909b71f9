import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto';

/** Signature types of C2SP `signed-note`: Ed25519 over the text, cosignatures of checkpoints. */
const NOTE_KEY_TYPES = { ed25519: 1, cosignature: 4 } as const;
export type NoteKeyType = keyof typeof NOTE_KEY_TYPES;

/** A public key that verifies notes. */
export interface NoteKey {
  readonly name: string;
  readonly type: NoteKeyType;
  /** Eight hex digits. */
  readonly id: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
}

/** A key that signs notes, Ed25519. */
export interface NoteSigner {
  readonly key: NoteKey;
  /** Returns the signature of a message, 64 bytes. */
  readonly sign: (message: Uint8Array) => Buffer;
}

/** Bytes of a public key, and of the seed of a private one. */
const KEY_BYTES = 32;
const MAX_NAME_LENGTH = 255;
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Reports whether a note may name a key so: no spaces, no plus, no control characters. */
export function isKeyName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && /^[^\s+\p{Cc}\p{Cs}]+$/u.test(name);
}

/**
 * Returns a key with its id.
 * @throws RangeError for a name that notes cannot hold, or a key that is not 32 bytes.
 */
export function noteKey(name: string, type: NoteKeyType, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name))
    throw new RangeError(`a key name must have no spaces or plus (got ${JSON.stringify(name)})`);
  if (publicKey.length !== KEY_BYTES)
    throw new RangeError(`a public key must have 32 bytes (got ${publicKey.length})`);
  const typed = Buffer.concat([Buffer.of(NOTE_KEY_TYPES[type]), publicKey]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'hex').slice(0, 8);
  return { name, type, id, publicKey: Buffer.from(publicKey) };
}

/**
 * Returns the signer of a private key.
 * @param seed the 32 bytes of the private key (RFC 8032).
 */
export function noteSigner(name: string, type: NoteKeyType, seed: Uint8Array): NoteSigner {
  if (seed.length !== KEY_BYTES)
    throw new RangeError(`the seed of a private key must have 32 bytes (got ${seed.length})`);
  const pkcs8 = Buffer.concat([PKCS8, seed]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    key: noteKey(name, type, spki.subarray(SPKI.length)),
    sign: (message) => sign(null, message, privateKey),
  };
}

/** Reports whether a signature of 64 bytes is the key's. */
export function verifySignature(key: NoteKey, message: Uint8Array, signature: Buffer): boolean {
  if (signature.length !== 64) return false;
  const spki = Buffer.concat([SPKI, key.publicKey]);
  return verify(null, message, { key: spki, format: 'der', type: 'spki' }, signature);
}

/** Returns the text of a key for configuration and documents: name, id and key, joined by plus. */
export function formatVerifierKey({ name, id, type, publicKey }: NoteKey): string {
  const typed = Buffer.concat([Buffer.of(NOTE_KEY_TYPES[type]), publicKey]);
  return `${name}+${id}+${typed.toString('base64')}`;
}

/** Returns the key of a text, or null unless {@link formatVerifierKey} returns the same text. */
export function parseVerifierKey(text: string): NoteKey | null {
  // Base64 may contain a plus itself.
  const [name = '', , ...encoded] = text.split('+');
  const typed = Buffer.from(encoded.join('+'), 'base64');
  const type = (['ed25519', 'cosignature'] as const).find((of) => NOTE_KEY_TYPES[of] === typed[0]);
  if (!type || !isKeyName(name) || typed.length !== KEY_BYTES + 1) return null;
  const key = noteKey(name, type, typed.subarray(1));
  return formatVerifierKey(key) === text ? key : null;
}
