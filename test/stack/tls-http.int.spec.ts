import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';

import { describeWhen } from '../support/describe-when.js';
import { tempDir } from '../support/temp-dir.js';
import {
  type Certificates,
  makeCertificates,
  withCertificates,
} from '../support/tls/certificates.js';
import { reachEngine } from '../support/tls/reach-engine.js';
import { TlsProxy, type TlsProxyOptions } from '../support/tls/tls-proxy.js';

const LOGIN = { user: 'footnote', password: 'p:w@rd&%' };
const USER_INFO = `${LOGIN.user}:${encodeURIComponent(LOGIN.password)}@`;
const SECRETS = /p:w@rd|p%3Aw%40rd|guessed|cDp3QHJk/;

interface Engine {
  readonly name: 'searchIndex' | 'blobs';
  readonly server: string;
  /** The address of the engine itself, without TLS. */
  readonly url: string;
  /** The variables that put the engine at an address that TLS reaches. */
  readonly at: (address: string) => Readonly<Record<string, string>>;
}

describeWhen('OPENSEARCH_URL', 'OpenSearch over TLS', (url) =>
  withCertificates(() => openSearchOverTls(url)),
);

describeWhen('S3_ENDPOINT', 'S3 over TLS', (url) => withCertificates(() => s3OverTls(url)));

function openSearchOverTls(url: string): void {
  const prefix = `tls-${randomUUID()}`;
  const at = (address: string) => ({
    OPENSEARCH_URL: `https://${USER_INFO}${address}`,
    OPENSEARCH_INDEX_PREFIX: prefix,
  });
  afterAll(async () => {
    await fetch(`${url}/${prefix}-*`, { method: 'DELETE' });
  });
  const through = overTls({ name: 'searchIndex', server: 'OpenSearch', url, at });

  it('signs in as the user of the address', async () => {
    const { proxy, reach } = await through({ login: LOGIN });
    expect((await reach()).outcome).toBe('reached');
    expect(proxy.passed).toBeGreaterThan(0);
  });

  it('refuses to start with rejected credentials, and logs no secret', async () => {
    const { proxy, reach } = await through({ login: { ...LOGIN, password: 'changed' } });
    const { outcome, output } = await reach();
    expect(outcome).toContain('cannot be used: OpenSearch rejects the credentials');
    expect(output).not.toMatch(SECRETS);
    expect(proxy.passed).toBe(0);
  });
}

function s3OverTls(url: string): void {
  const access = {
    S3_BUCKET: process.env['S3_BUCKET'] ?? 'footnote',
    S3_ACCESS_KEY_ID: process.env['S3_ACCESS_KEY_ID'] ?? '',
    S3_SECRET_ACCESS_KEY: process.env['S3_SECRET_ACCESS_KEY'] ?? '',
  };
  const at = (address: string) => ({ S3_ENDPOINT: `https://${address}`, ...access });
  const through = overTls({ name: 'blobs', server: 'S3', url, at });

  it('signs its requests', async () => {
    const { proxy, reach } = await through();
    expect((await reach()).outcome).toBe('reached');
    expect(proxy.passed).toBeGreaterThan(0);
  });

  it('refuses to start with rejected credentials, and logs no secret', async () => {
    const { reach } = await through();
    const { outcome, output } = await reach({ S3_SECRET_ACCESS_KEY: 'guessed' });
    expect(outcome).toContain('cannot be used: S3 rejects these credentials');
    expect(output).not.toMatch(SECRETS);
  });
}

/** Tests what holds of each engine, and gives a way to test what else does. */
function overTls({ name, server, url, at }: Engine) {
  const folder = tempDir();
  let files: Certificates;
  let proxies: TlsProxy[] = [];
  beforeAll(() => {
    files = makeCertificates(folder.path);
  });
  afterEach(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    proxies = [];
  });
  afterAll(() => folder.remove());

  const through = async (options: Partial<TlsProxyOptions> = {}) => {
    const { certFile, keyFile, caFile } = files;
    const proxy = await TlsProxy.before(url, { certFile, keyFile, ...options });
    proxies.push(proxy);
    const reach = (variables: Readonly<Record<string, string>> = {}) =>
      reachEngine(name, {
        ...at(`127.0.0.1:${proxy.port}`),
        NODE_EXTRA_CA_CERTS: caFile,
        ...variables,
      });
    return { proxy, reach };
  };

  it.each<[string, () => Partial<TlsProxyOptions>, () => Readonly<Record<string, string>>, RegExp]>(
    [
      [
        'of an authority that is not known',
        () => ({}),
        () => ({ NODE_EXTRA_CA_CERTS: files.otherCaFile }),
        /is not trusted .*NODE_EXTRA_CA_CERTS/,
      ],
      [
        'of another host',
        () => ({ certFile: files.strangerFile, keyFile: files.strangerKeyFile }),
        () => ({}),
        /is not valid: Hostname\/IP does not match/,
      ],
    ],
  )(
    'refuses to start on a certificate %s, and sends nothing',
    async (_, options, variables, reason) => {
      const { proxy, reach } = await through(options());
      const { outcome, output } = await reach(variables());
      expect(outcome).toMatch(reason);
      expect(outcome).toContain(`The certificate of ${server}`);
      expect(output).not.toMatch(SECRETS);
      expect(proxy.passed).toBe(0);
    },
  );

  return through;
}
