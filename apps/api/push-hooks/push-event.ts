import type { IncomingHttpHeaders } from 'node:http';

import { parseJson } from '../edge/json-body.js';

/** The event that a delivery reports. */
export type PushEvent =
  | { readonly kind: 'ping' }
  /** An event that no sync follows from, in words. */
  | { readonly kind: 'other'; readonly what: string }
  | {
      readonly kind: 'push';
      /** Such as `refs/heads/main`. */
      readonly ref: string;
      /** The branch or tag was deleted. */
      readonly deleted: boolean;
      readonly defaultBranch: string | undefined;
    };

/**
 * Reads the body of GitHub, GitLab, Gitea and Forgejo; of a form (GitHub's default) the field
 * `payload`.
 * @throws FootnoteError `malformed_json`.
 */
export function readPushEvent(headers: IncomingHttpHeaders, body: Uint8Array): PushEvent {
  const name = EVENT_HEADERS.map((header) => headers[header]).find(
    (value) => typeof value === 'string',
  );
  if (name === 'ping') return { kind: 'ping' };
  const payload = asObject(parseJson(jsonOf(headers, body)));
  const { ref, object_kind: kind } = payload;
  const event = typeof name === 'string' ? name : typeof kind === 'string' ? kind : '';
  if (!PUSHES.has(event) || typeof ref !== 'string') return { kind: 'other', what: shown(event) };
  const { repository, project, after, deleted } = payload;
  const branch = asObject(repository)['default_branch'] ?? asObject(project)['default_branch'];
  return {
    kind: 'push',
    ref,
    deleted: deleted === true || (typeof after === 'string' && /^0+$/.test(after)),
    defaultBranch: typeof branch === 'string' ? branch : undefined,
  };
}

const EVENT_HEADERS = [
  'x-forgejo-event',
  'x-gitea-event',
  'x-github-event',
  'x-gitlab-event',
] as const;
const PUSHES: ReadonlySet<string> = new Set(['push', 'tag_push', 'Push Hook', 'Tag Push Hook']);

function jsonOf(headers: IncomingHttpHeaders, body: Uint8Array): Uint8Array {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return body;
  return Buffer.from(new URLSearchParams(Buffer.from(body).toString('utf8')).get('payload') ?? '');
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function shown(event: string): string {
  return /^[\w ]{1,64}$/.test(event) ? event : 'unknown';
}
