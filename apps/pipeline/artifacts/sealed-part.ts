import { bytesKey, openBytes, sealBytes, type Sealed } from '#platform';

/** The job that a part belongs to. */
export interface PartOwner {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly job_id: string;
}

/**
 * The readable head of a sealed part: its owner, and the data key of its attempt, sealed with the
 * tenant's key.
 */
export interface PartHead extends PartOwner {
  readonly key: Sealed;
}

const MAGIC = 0x50534e46; // "FNSP"
const FORMAT = 1;
const PREAMBLE_BYTES = 12;
/** Longest head that is read; a head of this version has some 300 bytes. */
const MOST_HEAD_BYTES = 4_096;

/**
 * Seals a part, so that its text is unreadable once the tenant's key is destroyed. The head stays
 * readable, so that a part which no event names still shows whose it is.
 */
export function sealPart(head: PartHead, dataKey: string, plain: Uint8Array): Promise<Uint8Array> {
  const { tenant_id, source_id, job_id, key } = head;
  const json = Buffer.from(JSON.stringify({ tenant_id, source_id, job_id, key }));
  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  preamble.writeUInt32LE(MAGIC, 0);
  preamble.writeUInt32LE(FORMAT, 4);
  preamble.writeUInt32LE(json.length, 8);
  return sealBytes(bytesKey(dataKey), Buffer.concat([preamble, json]), plain);
}

/**
 * Opens a part with the data key that its head holds sealed. @throws Error when they do not fit
 * together.
 */
export function openPart(sealed: Uint8Array, dataKey: string): Promise<Uint8Array> {
  return openBytes(bytesKey(dataKey), sealed, PREAMBLE_BYTES + headLength(sealed));
}

/**
 * Reads the head from the first bytes of a part.
 * @returns null for bytes that are no sealed part, such as the parts of earlier versions.
 * @throws Error for a sealed part of an unknown format, or a damaged head.
 */
export function readPartHead(start: Uint8Array): PartHead | null {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  if (bytes.length < PREAMBLE_BYTES || bytes.readUInt32LE(0) !== MAGIC) return null;
  const format = bytes.readUInt32LE(4);
  if (format !== FORMAT)
    throw new Error(`Sealed part of format ${format}; this version reads ${FORMAT}`);
  const end = PREAMBLE_BYTES + headLength(bytes);
  return JSON.parse(bytes.toString('utf8', PREAMBLE_BYTES, end)) as PartHead;
}

function headLength(bytes: Uint8Array): number {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(8, true);
  if (length > MOST_HEAD_BYTES) throw new Error(`The head of a sealed part has ${length} bytes`);
  return length;
}
