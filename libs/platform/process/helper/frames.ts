import type { Writable } from 'node:stream';

/** Messages of the service to its helper, about the process with the frame's id. */
export const TO_HELPER = {
  /** JSON: {@link StartFrame}. */
  start: 1,
  /** Bytes for standard input; the next follow when these were taken. */
  input: 2,
  inputEnd: 3,
  kill: 4,
  /** Number of consumed bytes of standard output (JSON: {@link TakenFrame}). */
  taken: 5,
} as const;

/** Messages of the helper. */
export const TO_SERVICE = {
  /** JSON: the process id. */
  started: 1,
  output: 2,
  errorOutput: 3,
  inputTaken: 4,
  /** JSON: a `ProcessEnd`. All output came before it. */
  ended: 5,
  /** JSON: {@link FailedFrame}. The process does not exist. */
  failed: 6,
} as const;

export interface StartFrame {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface TakenFrame {
  readonly stream: 'stdout' | 'stderr';
  readonly bytes: number;
}

export interface FailedFrame {
  readonly message: string;
  /** A system error's code, such as `ENOENT`. */
  readonly code?: string;
}

export interface Frame {
  readonly id: number;
  readonly kind: number;
  readonly payload: Buffer;
}

/** Length of the payload, id, kind. */
const HEADER = 9;
/** Maximum payload. A longer one is not a frame of this protocol. */
const MAX_PAYLOAD = 1024 * 1024;

/** @throws RangeError for a payload that the other side would reject. */
export function writeFrame(
  to: Writable,
  id: number,
  kind: number,
  payload: Uint8Array = new Uint8Array(),
): void {
  if (payload.byteLength > MAX_PAYLOAD)
    throw new RangeError(`A frame of ${payload.byteLength} bytes is too long`);
  const header = Buffer.allocUnsafe(HEADER);
  header.writeUInt32LE(payload.byteLength, 0);
  header.writeUInt32LE(id, 4);
  header.writeUInt8(kind, 8);
  to.cork();
  to.write(header);
  if (payload.byteLength > 0) to.write(payload);
  to.uncork();
}

export function writeJson(to: Writable, id: number, kind: number, value: unknown): void {
  writeFrame(to, id, kind, Buffer.from(JSON.stringify(value)));
}

export function readJson<T>({ payload }: Frame): T {
  return JSON.parse(payload.toString('utf8')) as T;
}

/** Divides a byte stream into frames. Buffers at most one unfinished frame. */
export class FrameReader {
  private held: Buffer = Buffer.alloc(0);

  /** @throws RangeError for an invalid length. */
  *push(data: Buffer): Generator<Frame> {
    this.held = this.held.length === 0 ? data : Buffer.concat([this.held, data]);
    while (this.held.length >= HEADER) {
      const length = this.held.readUInt32LE(0);
      if (length > MAX_PAYLOAD) throw new RangeError(`A frame of ${length} bytes is too long`);
      const end = HEADER + length;
      if (this.held.length < end) return;
      const frame = {
        id: this.held.readUInt32LE(4),
        kind: this.held.readUInt8(8),
        payload: this.held.subarray(HEADER, end),
      };
      this.held = this.held.subarray(end);
      yield frame;
    }
  }
}
