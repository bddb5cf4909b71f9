import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A version of an object, as it was put. */
export interface LockedVersion {
  readonly key: string;
  readonly body: string;
  readonly mode: string | undefined;
  readonly until: string | undefined;
}

/** Treatment of locks: as S3, ignoring them, or without a lock on the bucket. */
export type LockSupport = 'locks' | 'ignores' | 'refuses';

/** The part of S3 that locked copies use: objects with versions, which are never replaced. */
export class ObjectLockServer {
  readonly versions: LockedVersion[] = [];
  support: LockSupport = 'locks';
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(body);
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private async answer(
    request: AsyncIterable<Buffer> & Parameters<typeof pathOf>[0],
  ): Promise<{ status: number; headers: Record<string, string>; body?: string }> {
    const { key, version } = pathOf(request);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const header = (name: string) => request.headers[name] as string | undefined;
    if (request.method === 'PUT') {
      const mode = header('x-amz-object-lock-mode');
      if (this.support === 'refuses')
        return { status: 400, headers: XML, body: error('InvalidRequest') };
      if (mode !== undefined && header('content-md5') === undefined)
        return { status: 400, headers: XML, body: error('InvalidRequest') };
      const until = header('x-amz-object-lock-retain-until-date');
      const lock =
        this.support === 'locks' ? { mode, until } : { mode: undefined, until: undefined };
      this.versions.push({ key, body: Buffer.concat(parts).toString(), ...lock });
      return { status: 200, headers: { 'x-amz-version-id': String(this.versions.length) } };
    }
    const found = this.versions[Number(version) - 1];
    if (found?.key !== key) return { status: 404, headers: XML };
    const headers: Record<string, string> = { 'content-length': String(found.body.length) };
    if (found.mode !== undefined) headers['x-amz-object-lock-mode'] = found.mode;
    if (found.until !== undefined) headers['x-amz-object-lock-retain-until-date'] = found.until;
    return { status: 200, headers };
  }
}

const XML = { 'content-type': 'application/xml' };

function error(code: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No lock</Message></Error>`;
}

function pathOf(request: {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}): { readonly key: string; readonly version: string | null } {
  const url = new URL(request.url ?? '/', 'http://s3');
  const [, , ...key] = url.pathname.split('/');
  return { key: decodeURIComponent(key.join('/')), version: url.searchParams.get('versionId') };
}
