import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** Reason why a body is rejected. The message completes the sentence that the URL begins. */
export class BodyRefusedError extends Error {
  override readonly name = 'BodyRefusedError';

  constructor(
    readonly reason: 'too_large' | 'bomb' | 'encoding' | 'broken',
    message: string,
    /** Whether a retry may succeed. */
    readonly passing = false,
  ) {
    super(message);
  }
}

/** Bytes of content that a body may have after decompression, at any ratio. */
const FREE_BYTES = 1024 * 1024;
/** Most bytes of content for each sent byte above that. */
const MOST_RATIO = 100;
/** Most nested codings; servers use one. */
const MOST_CODINGS = 2;

/** Requested codings; all of them can be decoded. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/**
 * Returns the content of a body, decoded while it arrives. It ends with BodyRefusedError as soon as
 * the content has more than `maxBytes`, or far more than was sent. The expanded content of a small
 * response is therefore never held in memory.
 *
 * @param coding the `Content-Encoding`.
 */
export async function* decodedBody(
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const codings = codingsOf(coding);
  const counted = { sent: 0 };
  const source = counting(body, counted);
  const content = codings.length === 0 ? source : unpacked(source, codings);
  let size = 0;
  try {
    for await (const part of content) {
      size += part.byteLength;
      if (size > maxBytes)
        throw new BodyRefusedError('too_large', `is larger than ${maxBytes} bytes`);
      if (size > FREE_BYTES && size > MOST_RATIO * counted.sent) {
        throw new BodyRefusedError(
          'bomb',
          `unfolds to more than ${MOST_RATIO} times what was sent`,
        );
      }
      yield part;
    }
  } catch (error) {
    throw zlibFailure(error) ?? error;
  }
}

function codingsOf(coding: string | undefined): readonly string[] {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'identity');
  if (codings.length > MOST_CODINGS || !codings.every((word) => CODINGS.has(word))) {
    throw new BodyRefusedError(
      'encoding',
      `is sent in a coding that was not asked for (${(coding ?? '').slice(0, 80)})`,
    );
  }
  return codings.toReversed();
}

const CODINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

async function* counting(
  body: AsyncIterable<Uint8Array>,
  counted: { sent: number },
): AsyncGenerator<Uint8Array> {
  for await (const part of body) {
    counted.sent += part.byteLength;
    yield part;
  }
}

async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  codings: readonly string[],
): AsyncGenerator<Uint8Array> {
  let content = source;
  for (const coding of codings) {
    const { first, whole } = await peeked(content);
    // An empty body has no coding, whatever its header is.
    if (first === undefined) return;
    const decoder = decoderOf(coding, first);
    // Errors come from the decoder, which the loop below reads.
    pipeline(Readable.from(whole), decoder, () => undefined);
    content = decoder as AsyncIterable<Uint8Array>;
  }
  yield* content;
}

function decoderOf(coding: string, first: number): Transform {
  if (coding === 'br') return createBrotliDecompress();
  if (coding !== 'deflate') return createGunzip();
  // Some servers send the bare stream, without the header that the name promises.
  return (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

/** Reads the first byte, and returns it with the whole content. */
async function peeked(source: AsyncIterable<Uint8Array>) {
  const parts = source[Symbol.asyncIterator]();
  let head = await parts.next();
  while (!head.done && head.value.byteLength === 0) head = await parts.next();
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      if (head.done) return;
      yield head.value;
      for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
    } finally {
      await parts.return?.();
    }
  }
  return { first: head.done ? undefined : head.value[0], whole: whole() };
}

function zlibFailure(error: unknown): BodyRefusedError | undefined {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR' || code === 'ERR_BROTLI_UNEXPECTED_END') {
    return new BodyRefusedError('broken', 'breaks off before its end', true);
  }
  const isCodec =
    typeof code === 'string' &&
    /^(?:Z_|ERR_|ERR__ERROR_|ERR_BROTLI)/.test(code) &&
    isFromZlib(error);
  return isCodec
    ? new BodyRefusedError('encoding', 'is not in the coding that its headers name')
    : undefined;
}

/** Returns whether an error is of a codec: those have the number of zlib's. */
function isFromZlib(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'errno' in error &&
    typeof error.errno === 'number'
  );
}
