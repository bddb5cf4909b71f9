const DEPTH = 8;

/** Messages of OpenSSL and Node about a certificate, in any client's sentence. */
const UNTRUSTED =
  /self[- ]signed certificate(?: in certificate chain)?|unable to verify the first certificate|unable to get (?:local )?issuer certificate/i;
const INVALID =
  /certificate (?:has expired|is not yet valid|revoked|rejected|not trusted)|invalid CA certificate|unsuitable certificate purpose|Hostname\/IP does not match certificate's altnames/i;
const NO_TLS = /wrong version number|packet length too long/i;

/**
 * Returns the error of an engine whose connection failed because of TLS: a wrong setting on either
 * side, which waiting does not solve. Null for any other failure. It searches the message, because
 * each client hides the code differently.
 */
export function tlsFailure(engine: string, cause: unknown): Error | null {
  const messages = messagesOf(cause);
  const untrusted = UNTRUSTED.exec(messages)?.[0];
  if (untrusted) {
    const message = `The certificate of ${engine} is not trusted (${untrusted}); NODE_EXTRA_CA_CERTS names the file of an authority of your own`;
    return new Error(message, { cause });
  }
  const invalid = INVALID.exec(messages)?.[0];
  if (invalid) return new Error(`The certificate of ${engine} is not valid: ${invalid}`, { cause });
  return NO_TLS.test(messages)
    ? new Error(`${engine} does not speak TLS at this address`, { cause })
    : null;
}

/** By shape: errors of sockets may come from another realm than this module's. */
function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (
    let at = error, depth = 0;
    typeof at === 'object' && at !== null && depth < DEPTH;
    depth += 1
  ) {
    const { message, cause } = at as { readonly message?: unknown; readonly cause?: unknown };
    if (typeof message === 'string') messages.push(message);
    at = cause;
  }
  return messages.join('\n');
}
