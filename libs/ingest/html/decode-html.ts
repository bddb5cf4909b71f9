import sniffEncoding from 'html-encoding-sniffer';

/** What the sniffer answers where nothing in the page tells. */
const UNTOLD = 'utf-8?';

/**
 * The text of a page, by its byte order mark, what the server said, its `meta`, in this order;
 * where nothing tells, as UTF-8 if it is, else as windows-1252. What cannot be decoded, and NUL, is
 * U+FFFD.
 */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const encoding = sniffEncoding(bytes, {
    ...(charset !== undefined && { transportLayerEncodingLabel: charset }),
    defaultEncoding: UNTOLD,
  });
  const text = encoding === UNTOLD ? guessed(bytes) : decoderOf(encoding).decode(bytes);
  return text.replaceAll('\0', '\uFFFD');
}

function guessed(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The standard knows encodings that this runtime may have been built without. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder('utf-8');
  }
}
