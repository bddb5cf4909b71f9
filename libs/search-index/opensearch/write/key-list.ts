/** Bytes of a key: 32 characters of base64. */
const KEY_BYTES = 24;

/** Identities of chunks (`chunkKey`), packed: kept in memory for whole packs. */
export class KeyList {
  private readonly bytes: Buffer;

  constructor(length: number) {
    this.bytes = Buffer.alloc(length * KEY_BYTES);
  }

  get byteLength(): number {
    return this.bytes.byteLength;
  }

  set(at: number, key: string): void {
    this.bytes.write(key, at * KEY_BYTES, 'base64url');
  }

  at(index: number): string {
    return this.bytes.toString('base64url', index * KEY_BYTES, (index + 1) * KEY_BYTES);
  }
}
