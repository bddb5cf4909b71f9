import { FootnoteError } from '#contracts';
import type { Config } from '#platform';

/** Names of this machine. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Headers of a request that show where it comes from and where it meant to go. */
export interface RequestOrigin {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * Refuses requests of pages of other origins, and requests that a rebound name led here: a name
 * that resolves to this machine is in `Host`. Only a service that listens on loopback, or has a
 * public URL, knows its names.
 * @throws FootnoteError `origin_refused`.
 */
export function requireTrustedOrigin(
  { host, origin }: RequestOrigin,
  { host: listensOn, publicUrl, corsOrigins }: Config['http'],
): void {
  const ownNames = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const knowsNames = publicUrl !== undefined || LOOPBACK.has(listensOn);
  const isOwn = (name: string) => LOOPBACK.has(name) || ownNames.includes(name);
  if (knowsNames && !isOwn(hostnameOf(`http://${host ?? ''}`)))
    throw new FootnoteError('origin_refused', 'The host of this request is not this service');
  if (origin === undefined || corsOrigins.includes(origin)) return;
  if (!isOwn(hostnameOf(origin)))
    throw new FootnoteError('origin_refused', 'Pages of this origin may not call this endpoint');
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
