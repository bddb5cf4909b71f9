import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { seeded } from '#platform';
import type { JobView } from '#test/support/api-client';
import { GitHttpServer } from '#test/support/git-http-server';
import { TestRepository } from '#test/support/git-repository';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { PROJECT_ROOT } from '#test/support/project-root';
import { tempDir } from '#test/support/temp-dir';
import { makeCertificates, withCertificates } from '#test/support/tls/certificates';
import { TlsProxy } from '#test/support/tls/tls-proxy';
import { TwoTenantService } from '#test/support/two-tenants';

const KINDS = {
  pages: { source_type: 'docs', docs_format: 'html' },
  specification: { source_type: 'docs', docs_format: 'openapi' },
  PDF: { source_type: 'pdf' },
  repository: { source_type: 'repo' },
} as const;
type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as Kind[];
const OF_WEB: readonly Kind[] = ['pages', 'specification', 'PDF'];

/** The message of a job, with `URL` for the address of the source. */
interface Row {
  readonly kind: Kind;
  /** The path of the source on the server of the group. */
  readonly path: string;
  readonly says: string;
  readonly retries: 0 | 1;
}

const row = (kind: Kind, path: string, says: string, retries: 0 | 1 = 0): Row => ({
  kind,
  path,
  says,
  retries,
});
const METADATA = 'http://169.254.169.254/latest/meta-data/';
const INNER = 'The host 169.254.169.254 is on a private or reserved network: URL';

const ANSWERS: readonly Row[] = [
  ...ALL.map((kind) => row(kind, '/inward', INNER)),
  ...ALL.map((kind) => row(kind, '/busy', 'URL answered 429 and asks to come back in 1 s', 1)),
  ...ALL.map((kind) => row(kind, '/down', 'URL answered 503', 1)),
  ...OF_WEB.map((kind) => row(kind, '/login', 'URL may not be read without credentials (401)')),
  row('pages', '/bomb', 'URL is larger than MAX_FILE_BYTES allows'),
  row('specification', '/bomb', 'URL unfolds to more than 100 times what was sent'),
  row('PDF', '/bomb', 'URL unfolds to more than 100 times what was sent'),
  row('pages', '/picture', 'URL is not a page of HTML'),
  row('specification', '/picture', 'URL is neither JSON nor YAML: it is not text in UTF-8'),
  row('PDF', '/picture', 'What URL answers is not a PDF, but image/png'),
  row('repository', '/led-off', 'URL redirects git while it fetches, which is not followed'),
  row(
    'repository',
    '/stalled',
    'URL sent less than 1000 bytes a second for 5 s (FETCH_MIN_BYTES_PER_SECOND)',
    1,
  ),
  row('repository', '/damaged', 'The pack that URL sent is damaged', 1),
  row('repository', '/cut-off', 'URL broke off while it was fetched', 1),
  row('repository', '/no-git', 'URL answers git with something that git does not understand', 1),
];

const UNTRUSTED =
  'The certificate of URL is not trusted (self-signed certificate); NODE_EXTRA_CA_CERTS names the file of an authority of your own';
const TLS: readonly (Row & { readonly server: string })[] = ALL.flatMap((kind) => [
  { ...row(kind, '/x', UNTRUSTED), server: 'self-signed' },
  {
    ...row(
      kind,
      '/x',
      "The certificate of URL is not valid: Hostname/IP does not match certificate's altnames",
    ),
    server: 'another',
  },
  {
    ...row(kind, '/x', 'The certificate of URL is not valid: certificate has expired'),
    server: 'expired',
  },
  { ...row(kind, '/x', 'URL does not speak TLS at this address'), server: 'plain' },
]);

const SPECIFICATION = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': { get: { summary: 'Lists pets', responses: { 200: { description: 'Pets' } } } },
  },
});
const MANUAL = writePdf([linesAt(72, 160, ['Marmosets gnaw holes into bark.'])]);
const SOUND: Readonly<
  Record<string, { readonly type: string; readonly body: string | Uint8Array }>
> = {
  'page.html': {
    type: 'text/html',
    body: '<title>Pets</title><main><h1>Pets</h1><p>Marmosets gnaw holes.</p></main>',
  },
  'pets.json': { type: 'application/json', body: SPECIFICATION },
  'manual.pdf': { type: 'application/pdf', body: MANUAL },
};
const BOMB = gzipSync(Buffer.alloc(60_000_000));
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452ff', 'hex');

/** The answers to any request below a path of this name. */
const FAULTS: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  // Closed, so that the page is asked for by a connection of its own, and its name a second time.
  'robots.txt': (response) => response.writeHead(404, { connection: 'close' }).end(),
  inward: (response) => response.writeHead(302, { location: METADATA }).end(),
  busy: (response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  down: (response) => response.writeHead(503).end(),
  login: (response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
  bomb: (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }).end(BOMB),
  picture: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE),
};

/** The faults of a pack of a repository below a path of this name. */
const PACK_FAULTS: Readonly<Record<string, (response: ServerResponse, pack: Buffer) => unknown>> = {
  stalled: (response, answer) => response.write(answer.subarray(0, middle(answer))),
  damaged: (response, answer) => response.end(damaged(answer)),
  'damaged-once': (response, answer) => response.end(damaged(answer)),
  'cut-off': (response, answer) =>
    response.write(answer.subarray(0, middle(answer)), () => response.destroy()),
  'no-git': (response) => response.end('<p>Sign in first'),
};

/** Returns the middle of the pack in an answer. */
function middle(answer: Buffer): number {
  return (answer.indexOf('PACK') + answer.length) >> 1;
}

function damaged(answer: Buffer): Buffer {
  const copy = Buffer.from(answer);
  copy.writeUInt8(copy.readUInt8(middle(copy)) ^ 0xff, middle(copy));
  return copy;
}

/** Holds back what is answered, and lets the fault have it if it is a pack. */
function tamperWithPack(
  response: ServerResponse,
  fault: (response: ServerResponse, pack: Buffer) => unknown,
): void {
  const [write, end] = [response.write.bind(response), response.end.bind(response)];
  const parts: Buffer[] = [];
  response.write = ((part: Buffer) => parts.push(part) > 0) as typeof response.write;
  response.end = (() => {
    Object.assign(response, { write, end });
    const answer = Buffer.concat(parts);
    if (answer.includes('PACK')) fault(response, answer);
    else end(answer);
    return response;
  }) as typeof response.end;
}

describe('servers that fail, lie or lead astray', () => {
  let service: TwoTenantService;
  let server: GitHttpServer;
  let origin: string;
  /** Faults that happened and happen no more. */
  const spent = new Set<string>();
  let names = 0;

  beforeAll(async () => {
    const preload = pathToFileURL(
      join(PROJECT_ROOT, 'dist/test/support/rebinding-resolver.process.js'),
    ).href;
    service = await TwoTenantService.start({
      ALLOW_PRIVATE_NETWORKS: 'true',
      CRAWL_DELAY_MS: '0',
      JOB_MAX_RETRIES: '1',
      STAGE_CONCURRENCY: '64',
      // Longer than any pause of a busy machine: only a stalled server is this slow.
      FETCH_SLOW_SECONDS: '5',
      FETCH_MIN_BYTES_PER_SECOND: '1000',
      NODE_OPTIONS: `--import=${preload}`,
    });
    const random = seeded(1);
    const digits = Array.from({ length: 400 }, () => random().toString(36).slice(2));
    TestRepository.create(`${service.scratch}/sound`, {
      'a.ts': `export const a = '${digits.join('')}';\n`,
    });
    server = new GitHttpServer(service.scratch, (request, response, path) => {
      const [, fault = '', ...rest] = path.split('/');
      const isPost = request.method === 'POST';
      const source = `${fault}/${rest[0]}`;
      const answer = FAULTS[fault];
      const packFault = PACK_FAULTS[fault];
      const found = SOUND[rest.at(-1) ?? ''];
      if (answer) answer(response);
      else if (fault === 'busy-once' && !spent.has(source)) {
        spent.add(source);
        response.writeHead(429, { 'retry-after': '1' }).end();
      } else if (fault === 'led-off' && isPost)
        response.writeHead(302, { location: METADATA }).end();
      else if (found)
        response
          .writeHead(200, { 'content-type': found.type, connection: 'close' })
          .end(found.body);
      else {
        if (packFault && isPost && !(fault.endsWith('-once') && spent.has(source))) {
          tamperWithPack(response, (to, pack) => {
            spent.add(source);
            packFault(to, pack);
          });
        }
        server.pass(request, response, `/${rest.join('/')}`);
      }
      return true;
    });
    origin = await server.listen();
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await service.dispose();
  });

  async function register(kind: Kind, url: string): Promise<string> {
    const body = { name: url, url, ...KINDS[kind] };
    return (await service.first.expect<{ id: string }>('POST', '/sources', body)).id;
  }
  const synced = async (id: string): Promise<JobView> =>
    service.first.finished(await service.first.sync(id));
  const syncOf = async (kind: Kind, url: string): Promise<JobView> =>
    synced(await register(kind, url));

  /** Returns the outcome of each row; all rows run at once. */
  async function said(rows: readonly { readonly row: Row; readonly url: string }[]) {
    return Promise.all(
      rows.map(async ({ row: { kind, path }, url }) => {
        const { status, error_message, error_details, retry_count } = await syncOf(kind, url);
        const says = error_message?.replaceAll(url, 'URL') ?? '';
        return {
          kind,
          path,
          status,
          says,
          retries: retry_count,
          named: error_details?.url === url,
        };
      }),
    );
  }
  const failed = ({ kind, path, says, retries }: Row) => ({
    kind,
    path,
    says,
    retries,
    status: 'failed',
    named: true,
  });

  it('are named with what is wrong, and tried again where that may help', async () => {
    const rows = ANSWERS.map((each) => ({
      row: each,
      url: `${origin}${each.path}/${each.kind === 'repository' ? 'sound/.git' : ''}`.replace(
        /\/$/,
        '',
      ),
    }));
    expect(await said(rows)).toEqual(ANSWERS.map(failed));
  }, 60_000);

  it('are read once they are well again', async () => {
    const ends = await Promise.all([
      syncOf('pages', `${origin}/busy-once/page.html`),
      syncOf('specification', `${origin}/busy-once/pets.json`),
      syncOf('PDF', `${origin}/busy-once/manual.pdf`),
      syncOf('repository', `${origin}/busy-once/sound/.git`),
      syncOf('repository', `${origin}/damaged-once/sound/.git`),
    ]);
    const reported = ends.map(({ status, retry_count, chunks_created }) => [
      status,
      retry_count,
      chunks_created > 0,
    ]);
    // A site is waited for within the attempt.
    expect(reported).toEqual([0, 1, 1, 1, 1].map((retries) => ['completed', retries, true]));
  }, 60_000);

  /** A name that is the loopback so many times, and the metadata's address from then on. */
  const rebinding = (times: number, path: string): string => {
    const labels = [
      ...Array.from({ length: times }, () => '127-0-0-1'),
      '169-254-169-254',
      `a${(names += 1)}`,
    ];
    return `http://${labels.join('.')}.rebind.test:${new URL(origin).port}${path}`;
  };

  it('whose name leads elsewhere from one answer to the next are dialled where they were judged', async () => {
    const spec = { kind: 'specification' as const, url: rebinding(1, '/sound/pets.json') };
    const pdf = { kind: 'PDF' as const, url: rebinding(1, '/sound/manual.pdf') };
    // The first request is for references. Then git receives the checked address and resolves no
    // name.
    const repository = { kind: 'repository' as const, url: rebinding(2, '/sound/sound/.git') };
    for (const { kind, url } of [spec, pdf, repository]) {
      const id = await register(kind, url);
      expect(await synced(id)).toMatchObject({ status: 'completed', error_message: null });
      const refused = await synced(id);
      expect(refused).toMatchObject({ status: 'failed', retry_count: 0, error_details: { url } });
      expect(refused.error_message).toBe(
        `The host ${new URL(url).hostname} is on a private or reserved network: ${url}`,
      );
    }
    for (const [kind, times, path] of [
      ['pages', 1, '/sound/page.html'],
      ['repository', 1, '/sound/sound/.git'],
    ] as const) {
      const url = rebinding(times, path);
      const refused = await syncOf(kind, url);
      expect(refused).toMatchObject({ status: 'failed', retry_count: 0, error_details: { url } });
      expect(refused.error_message).toBe(
        `The host ${new URL(url).hostname} is on a private or reserved network: ${url}`,
      );
    }
  }, 60_000);

  describe('by TLS', () => {
    withCertificates(() => {
      const origins = new Map<string, string>();
      const servers: Server[] = [];
      let front: TlsProxy;
      const folder = tempDir();
      beforeAll(async () => {
        const made = makeCertificates(folder.path);
        const secured = [
          ['self-signed', made.selfSignedFile, made.selfSignedKeyFile],
          ['another', made.strangerFile, made.strangerKeyFile],
          ['expired', made.expiredFile, made.expiredKeyFile],
        ] as const;
        for (const [name, certFile, keyFile] of secured) {
          const secure = createServer(
            { cert: readFileSync(certFile), key: readFileSync(keyFile) },
            (_, response) => response.writeHead(200).end(),
          );
          secure.on('tlsClientError', () => undefined);
          secure.listen(0, '127.0.0.1');
          await once(secure, 'listening');
          servers.push(secure);
          origins.set(name, `https://127.0.0.1:${(secure.address() as AddressInfo).port}`);
        }
        front = await TlsProxy.before(origin, { certFile: made.certFile, keyFile: made.keyFile });
        origins.set('plain', origin.replace('http:', 'https:'));
        await service.restart(undefined, {
          ...service.variables,
          NODE_EXTRA_CA_CERTS: made.caFile,
        });
      }, 60_000);
      afterAll(async () => {
        await front.close();
        for (const secure of servers) {
          secure.closeAllConnections();
          secure.close();
        }
        folder.remove();
      });

      it('are read where NODE_EXTRA_CA_CERTS names the authority of their certificate', async () => {
        const url = `https://127.0.0.1:${front.port}/sound`;
        const ends = await Promise.all([
          syncOf('pages', `${url}/page.html`),
          syncOf('specification', `${url}/pets.json`),
          syncOf('PDF', `${url}/manual.pdf`),
          syncOf('repository', `${url}/sound/.git`),
        ]);
        expect(ends.map(({ status, error_message }) => [status, error_message])).toEqual(
          ends.map(() => ['completed', null]),
        );
      }, 60_000);

      it('are recognized by their certificate, and not retried', async () => {
        const rows = TLS.map((each) => ({ row: each, url: `${origins.get(each.server)}/x` }));
        expect(await said(rows)).toEqual(TLS.map(failed));
      }, 60_000);
    });
  });
});
