import sniffEncoding from 'html-encoding-sniffer';

/** Answer of the sniffer for a page that does not name its encoding. */
const UNTOLD = 'utf-8?';

/**
 * Decodes the text of a page by its byte order mark, the charset of the server, then its `meta`. A
 * page without any of these is read as UTF-8 if it is valid UTF-8, else as windows-1252. Bytes that
 * cannot be decoded, and NUL, become U+FFFD.
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

/** Returns a decoder; this runtime may lack encodings that the standard has. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder('utf-8');
  }
}
