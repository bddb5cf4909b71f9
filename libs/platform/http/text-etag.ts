import { createHash } from 'node:crypto';

/** Returns the ETag of a text: a hash of its bytes. */
export function textEtag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Reports whether `If-None-Match` names this ETag. */
export function namesText(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const named = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return named.includes(etag) || named.includes('*');
}
