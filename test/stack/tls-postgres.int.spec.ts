import { chmodSync } from 'node:fs';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { silentLogger } from '#platform';
import { openPostgresLeases } from '#platform/lease/postgres/postgres-leases';

import { describeWhen } from '../support/describe-when.js';
import { EngineInstance } from '../support/engine-script.js';
import { tempDir } from '../support/temp-dir.js';
import {
  type Certificates,
  makeCertificates,
  withCertificates,
} from '../support/tls/certificates.js';
import { reachEngine } from '../support/tls/reach-engine.js';

describeWhen('DATABASE_URL', 'PostgreSQL over TLS', () => withCertificates(postgresOverTls));

/** On a server of its own (test/engines/postgres.sh), which answers by TLS alone. */
function postgresOverTls(): void {
  const folder = tempDir('footnote-postgres-tls-');
  let files: Certificates;
  let server: EngineInstance;
  let urls: { readonly DATABASE_URL: string; readonly DATABASE_ADMIN_URL: string };
  let secrets: RegExp;

  beforeAll(async () => {
    // The server's account has to reach its data.
    chmodSync(folder.path, 0o755);
    files = makeCertificates(folder.path);
    server = await EngineInstance.at('postgres', `${folder.path}/server`, folder.path);
    const { DATABASE_URL = '', DATABASE_ADMIN_URL = '' } = await server.start();
    urls = { DATABASE_URL, DATABASE_ADMIN_URL };
    const passwords = Object.values(urls).map((url) => new URL(url).password);
    secrets = new RegExp([...passwords, 'guessed'].join('|'));
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    folder.remove();
  }, 60_000);

  const changed = (change: (url: string) => string) => ({
    DATABASE_URL: change(urls.DATABASE_URL),
    DATABASE_ADMIN_URL: change(urls.DATABASE_ADMIN_URL),
  });
  const withPassword = (url: string, password: string) =>
    Object.assign(new URL(url), { password }).href;
  const withCa = (file: string) => changed((url) => url.replace(files.caFile, file));

  it('serves what is asked for by verify-full with the authority of the URL', async () => {
    expect(urls.DATABASE_URL).toContain(`?sslmode=verify-full&sslrootcert=${files.caFile}`);
    expect((await reachEngine('readModel', urls)).outcome).toBe('reached');
    expect((await reachEngine('keyRing', urls)).outcome).toBe('reached');
    const leases = await openPostgresLeases({ url: urls.DATABASE_URL, logger: silentLogger });
    let held = false;
    await leases.hold('tls', async () => void (held = true), {
      signal: AbortSignal.timeout(10_000),
    });
    await leases.close();
    expect(held).toBe(true);
  });

  it('serves what trusts the authority by NODE_EXTRA_CA_CERTS', async () => {
    const given = changed((url) => url.replace(/&sslrootcert=.*/, ''));
    expect(
      (await reachEngine('readModel', { ...given, NODE_EXTRA_CA_CERTS: files.caFile })).outcome,
    ).toBe('reached');
  });

  it.each(['readModel', 'keyRing'] as const)(
    '(%s) rejects a wrong password of either login, which ends the start and logs no secret',
    async (name) => {
      for (const [variable, login] of [
        ['DATABASE_URL', 'footnote_service'],
        ['DATABASE_ADMIN_URL', 'footnote_owner'],
      ] as const) {
        const { outcome, output } = await reachEngine(name, {
          ...urls,
          [variable]: withPassword(urls[variable], 'guessed'),
        });
        expect(outcome).toContain(
          `cannot be used: password authentication failed for user "${login}"`,
        );
        expect(output).not.toMatch(secrets);
      }
    },
  );

  it.each(['readModel', 'keyRing'] as const)(
    '(%s) is not trusted when another authority signed its certificate, which ends the start',
    async (name) => {
      const { outcome, output } = await reachEngine(name, withCa(files.otherCaFile));
      expect(outcome).toContain('cannot be used: The certificate of PostgreSQL is not trusted');
      expect(output).not.toMatch(secrets);
    },
  );

  it('refuses leases by the same rules', async () => {
    const open = (url: string) => openPostgresLeases({ url, logger: silentLogger });
    await expect(open(withCa(files.otherCaFile).DATABASE_URL)).rejects.toThrow('is not trusted');
    await expect(open(withPassword(urls.DATABASE_URL, 'guessed'))).rejects.toThrow(
      'password authentication failed',
    );
  });

  it('lets nobody in without TLS', async () => {
    const plain = changed((url) => url.replace(/\?.*/, ''));
    const { outcome, output } = await reachEngine('readModel', plain);
    expect(outcome).toContain('no encryption');
    expect(output).not.toMatch(secrets);
  });
}
