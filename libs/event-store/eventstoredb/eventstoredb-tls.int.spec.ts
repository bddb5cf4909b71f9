import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';
import type { EventStore } from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { type Logger, silentLogger } from '#platform';
import { events, follow, refusal, revisions } from '#test/contracts/event-store/observe';
import { Log } from '#test/support/eventstoredb/log';
import { EventStoreDbServer, type TestServerOptions } from '#test/support/eventstoredb/server';
import { freshStream, someEvents } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';
import {
  type Certificates,
  makeCertificates,
  withCertificates,
} from '#test/support/tls/certificates';
import { reachEngine } from '#test/support/tls/reach-engine';

const LOGIN = { user: 'footnote', password: 'p:w@rd&%' };
const SECRETS = /p:w@rd|p%3Aw%40rd|guessed/;

describe('EventStoreDB over TLS', () => withCertificates(securedServer));

function securedServer(): void {
  const folder = tempDir();
  let files: Certificates;
  let running: { close(): Promise<void> | void }[] = [];

  beforeAll(() => {
    files = makeCertificates(folder.path);
  });
  afterEach(async () => {
    for (const part of running.toReversed()) await part.close();
    running = [];
  });
  afterAll(() => folder.remove());

  const serve = async (options: TestServerOptions = {}) => {
    const tls = { certificate: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
    const server = await EventStoreDbServer.start({ tls, login: LOGIN, ...options });
    running.push({ close: () => server.stop() });
    return server;
  };
  const open = async (url: string, logger: Logger = silentLogger): Promise<EventStore> => {
    const store = await openEventStoreDb({ url, logger, timeoutMs: 5_000 });
    running.push(store);
    return store;
  };
  const login = ({ user, password } = LOGIN) =>
    `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  const secure = (caFile = files.caFile) => `tls=true&tlsCAFile=${encodeURIComponent(caFile)}`;

  it.each([true, false])(
    'appends, reads and follows as the user of the connection string (batch append: %s)',
    async (batchAppend) => {
      const { port } = await serve({ batchAppend });
      const store = await open(`esdb://${login()}127.0.0.1:${port}?${secure()}`);
      const stream = freshStream();
      expect(await store.append(stream, someEvents(2), 'none')).toMatchObject({ revision: 1n });
      expect(await revisions(store.read(stream))).toEqual([0n, 1n]);
      const following = follow(store, { after: 'start' });
      await following.until((seen) => events(seen).length === 2);
      await following.stop();
    },
  );

  it('is reached by a process that trusts the authority by NODE_EXTRA_CA_CERTS', async () => {
    const { port } = await serve();
    const at = (credentials: string) => ({
      EVENTSTORE_URL: `esdb://${credentials}127.0.0.1:${port}?tls=true`,
      NODE_EXTRA_CA_CERTS: files.caFile,
    });
    const reached = await reachEngine('eventStore', at(login()));
    expect(reached.outcome).toBe('reached');
    // The address is an IP: sent as the server's name, Node would warn about it.
    expect(reached.output).not.toMatch(/DEP0123|Deprecation/);
    const { outcome, output } = await reachEngine(
      'eventStore',
      at(login({ user: 'footnote', password: 'guessed' })),
    );
    expect(outcome).toContain(
      'EventStoreDB (EVENTSTORE_URL) cannot be used: EventStoreDB rejects these credentials',
    );
    expect(output).not.toMatch(SECRETS);
  });

  it('finds the leader of a cluster by gossip', async () => {
    const log = new Log();
    const [follower, leader] = [await serve({ log }), await serve({ log })];
    follower.leader = { host: '127.0.0.1', port: leader.port };
    follower.members = leader.members = [
      { host: '127.0.0.1', port: follower.port, leads: false },
      { host: '127.0.0.1', port: leader.port, leads: true },
    ];
    const store = await open(`esdb+discover://${login()}127.0.0.1:${follower.port}?${secure()}`);
    await store.append(freshStream(), someEvents(1), 'none');
    expect([follower.appends, leader.appends]).toEqual([0, 1]);
  });

  it.each([
    ['another password', () => login({ user: 'footnote', password: 'guessed' })],
    ['no user', () => ''],
  ])('with %s is rejected at once, and the error contains no secret', async (_, credentials) => {
    const { port } = await serve();
    const error = await refusal(open(`esdb://${credentials()}127.0.0.1:${port}?${secure()}`));
    expect(String(error)).toBe(
      'Error: EventStoreDB rejects these credentials; its user must be allowed to read $all',
    );
    expect(everythingOf(error)).not.toMatch(SECRETS);
  });

  it('rejects appends of a user whose password changed, as certainly not done', async () => {
    const first = await serve();
    const store = await open(`esdb://${login()}127.0.0.1:${first.port}?${secure()}`);
    first.stop();
    const changed = { user: 'footnote', password: 'changed' };
    const second = await serve({ port: first.port, log: first.log, login: changed });
    let error: unknown;
    // Until the client has reconnected, the server is unavailable.
    for (let attempt = 0; attempt < 40 && !/UNAUTHENTICATED/.test(String(error)); attempt += 1) {
      error = await refusal(store.append(freshStream(), someEvents(1), 'none'));
    }
    expect(error).toMatchObject({ type: 'access-denied' });
    expect(everythingOf(error)).not.toMatch(SECRETS);
    expect(second.appends).toBe(0);
  });

  it.each([
    ['an authority that did not sign its certificate', () => secure(files.otherCaFile)],
    ['the authorities of Node alone', () => 'tls=true'],
  ])('with %s is rejected at once', async (_, options) => {
    const { port } = await serve();
    const error = await refusal(open(`esdb://${login()}127.0.0.1:${port}?${options()}`));
    expect(String(error)).toMatch(
      /The certificate of EventStoreDB is not trusted .*NODE_EXTRA_CA_CERTS/,
    );
    expect(everythingOf(error)).not.toMatch(SECRETS);
  });

  it('of a cluster reports the reason instead of a failed discovery', async () => {
    const { port } = await serve();
    const options = `${secure(files.otherCaFile)}&maxDiscoverAttempts=1`;
    for (const url of [
      `esdb+discover://${login()}127.0.0.1:${port}?${options}`,
      `esdb://${login()}127.0.0.1:${port},127.0.0.1:${port}?${options}`,
    ]) {
      expect(String(await refusal(open(url)))).toContain(
        'The certificate of EventStoreDB is not trusted',
      );
    }
  });

  it('with a certificate for another host is rejected at once, also by an IP', async () => {
    const stranger = {
      certificate: readFileSync(files.strangerFile),
      key: readFileSync(files.strangerKeyFile),
    };
    const { port } = await serve({ tls: stranger });
    const error = await refusal(open(`esdb://${login()}127.0.0.1:${port}?${secure()}`));
    expect(String(error)).toMatch(
      /The certificate of EventStoreDB is not valid: Hostname\/IP does not match/,
    );
  });

  describe.each<[string, (port: number) => string]>([
    ['one host', (port) => `esdb://${login()}127.0.0.1:${port}?`],
    [
      'several hosts',
      (port) => `esdb://${login()}127.0.0.1:1,127.0.0.1:${port}?maxDiscoverAttempts=1&`,
    ],
    ['a cluster', (port) => `esdb+discover://${login()}127.0.0.1:${port}?maxDiscoverAttempts=1&`],
  ])('at the address of %s', (_, address) => {
    it('expected of a server without it is rejected at once', async () => {
      const server = await EventStoreDbServer.start();
      running.push({ close: () => server.stop() });
      const error = await refusal(open(`${address(server.port)}${secure()}`));
      expect(String(error)).toBe('Error: EventStoreDB does not speak TLS at this address');
    });

    it('turned off for a server that speaks it is rejected at once', async () => {
      const { port } = await serve();
      const error = await refusal(open(`${address(port)}tls=false`));
      expect(String(error)).toBe(
        'Error: EventStoreDB speaks TLS at this address, which has tls=false',
      );
    });

    it.each([
      ['ends each connection', (socket: Socket) => void socket.end()],
      ['sends nothing yet', () => undefined],
    ])(
      'reports a server that %s as unavailable',
      async (__, answer) => {
        const sockets: Socket[] = [];
        const silent = createServer((socket) => {
          sockets.push(socket.on('error', () => undefined));
          answer(socket);
        }).listen(0, '127.0.0.1');
        await once(silent, 'listening');
        running.push({
          close: () => void silent.close(() => sockets.forEach((socket) => socket.destroy())),
        });
        const { port } = silent.address() as AddressInfo;
        const errors = await Promise.all(
          ['tls=false', secure()].map((options) =>
            refusal(
              openEventStoreDb({
                url: `${address(port)}${options}`,
                logger: silentLogger,
                timeoutMs: 300,
              }),
            ),
          ),
        );
        expect(errors.map((error) => isFootnoteError(error, 'engine_unavailable'))).toEqual([
          true,
          true,
        ]);
        for (const socket of sockets) socket.destroy();
      },
      30_000,
    );
  });

  it('with a missing file of authorities is rejected', async () => {
    const error = await refusal(open(`esdb://${login()}127.0.0.1:1?${secure('/nowhere/ca.pem')}`));
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).toContain('File was not found');
  });

  it('turned off: credentials are not sent, and a warning is logged', async () => {
    const server = await EventStoreDbServer.start();
    running.push({ close: () => server.stop() });
    const warned: string[] = [];
    const logger: Logger = Object.assign(Object.create(silentLogger) as Logger, {
      warn: (_: object, message: string) => void warned.push(message),
    });
    await open(`esdb://${login()}127.0.0.1:${server.port}?tls=false`, logger);
    await open(`esdb://127.0.0.1:${server.port}?tls=false`, logger);
    expect(warned).toEqual([expect.stringContaining('without credentials')]);
  });
}

/** Returns everything of an error that a log could show. */
function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error, Object.getOwnPropertyNames(error))} ${everythingOf(error.cause)}`;
}
