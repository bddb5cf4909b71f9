import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * The output of a stage for the next one: a JSON header and binary sections behind a preamble of
 * magic and format. Large ones are zstd-compressed. The same content gives the same bytes.
 */
export interface Artifact<Header> {
  readonly header: Header;
  readonly sections: readonly Uint8Array[];
}

const MAGIC = 0x54524e46; // "FNRT"
/** Formats: compressed, and as it is. */
const COMPRESSED = 1;
const PLAIN = 2;
/** Content of fewer bytes is not compressed: that costs more than it saves. */
const COMPRESSED_BYTES = 64 * 1024;

export interface ArtifactOptions {
  /** Bytes of content from which it is compressed. Default 64 KiB; `Infinity` for one thread. */
  readonly compressFrom?: number | undefined;
}

const PREAMBLE_BYTES = 8;
/** A damaged artifact must not unfold into all memory. */
const MAX_DECODED_BYTES = 1024 * 1024 * 1024;

export function encodeArtifact<Header>(
  header: Header,
  sections: readonly Uint8Array[] = [],
  { compressFrom = COMPRESSED_BYTES }: ArtifactOptions = {},
): Uint8Array {
  const head = Buffer.from(
    JSON.stringify({ header, lengths: sections.map((section) => section.byteLength) }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  const content = Buffer.concat([size, head, ...sections]);
  const isLarge = content.length >= compressFrom;
  const body = isLarge ? compressed(content) : content;
  const artifact = new Uint8Array(PREAMBLE_BYTES + body.length);
  const view = new DataView(artifact.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, isLarge ? COMPRESSED : PLAIN, true);
  artifact.set(body, PREAMBLE_BYTES);
  return artifact;
}

function compressed(content: Uint8Array): Uint8Array {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** @throws Error when the bytes are no artifact of a known format. */
export function decodeArtifact<Header>(bytes: Uint8Array): Artifact<Header> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < PREAMBLE_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new Error('Not a stage artifact');
  const format = view.getUint32(4, true);
  if (format !== COMPRESSED && format !== PLAIN)
    throw new Error(`Stage artifact of format ${format}; this version reads 1 and 2`);
  const content = bytes.subarray(PREAMBLE_BYTES);
  const body =
    format === COMPRESSED
      ? zstdDecompressSync(content, { maxOutputLength: MAX_DECODED_BYTES })
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const headEnd = 4 + body.readUInt32LE(0);
  const { header, lengths } = JSON.parse(body.toString('utf8', 4, headEnd)) as {
    header: Header;
    lengths: readonly number[];
  };
  let offset = headEnd;
  const sections = lengths.map((length) => body.subarray(offset, (offset += length)));
  return { header, sections };
}
