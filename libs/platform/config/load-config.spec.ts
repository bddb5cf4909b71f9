import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FIRST_TENANT_ID, VARIABLES, loadConfig } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { configurationPage } from './configuration-page.js';

describe('loadConfig', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const load = (environment: Record<string, string>) => loadConfig(environment, folder.path);

  it('has a default for everything', () => {
    expect(load({})).toMatchObject({
      http: { host: '127.0.0.1', port: 8080, trustProxy: [], corsOrigins: [] },
      dataDir: join(folder.path, '.footnote'),
      network: { allowPrivateNetworks: false, fileUrls: { below: [], except: join(folder.path, '.footnote') } },
      limits: {
        maxSourceBytes: 2 * 1024 ** 3,
        maxFileBytes: 2 * 1024 ** 2,
        maxSourceFiles: 200_000,
        maxChunksPerSource: 500_000,
      },
      jobs: {
        maxRetries: 3,
        leaseSeconds: 30,
        stageTimeoutSeconds: 3600,
        stageConcurrency: 4,
        slowTransfer: { bytesPerSecond: 1000, seconds: 15 },
      },
      logLevel: 'info',
    });
  });

  it('keeps every engine embedded that has no address', () => {
    const { engines } = load({ KAFKA_BROKERS: 'one:9092, two:9092' });
    expect(engines).toMatchObject({
      kafka: { brokers: ['one:9092', 'two:9092'], ssl: false, partitions: 12, replication: 1 },
    });
    expect([engines.eventStore, engines.postgres, engines.openSearch, engines.s3]).toEqual(Array(4).fill(undefined));
  });

  it('knows the registries of the documented ecosystems, and of others those that it was given', () => {
    const own = {
      ecosystem: 'npm',
      url: 'https://npm.example',
      names: ['@acme/*'],
      tenants: [FIRST_TENANT_ID],
      token: 's',
    };
    const { packages } = load({
      NPM_REGISTRY_URL: 'https://mirror.example/npm/',
      PRIVATE_REGISTRIES: JSON.stringify([{ ...own, url: 'https://npm.example/' }]),
    });
    expect(packages.registries).toEqual({
      npm: { url: 'https://mirror.example/npm' },
      pypi: { url: 'https://pypi.org' },
    });
    expect(packages.privateRegistries).toEqual([own]);
  });

  it('is frozen through and through', () => {
    const config = load({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.http)).toBe(true);
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT is "eighty", but it takes a whole number from 0 to 65535.'],
    [{ PORT: '70000' }, 'PORT is "70000", but it takes a whole number from 0 to 65535.'],
    [{ ALLOW_PRIVATE_NETWORKS: 'yes' }, 'ALLOW_PRIVATE_NETWORKS is "yes", but it takes true or false.'],
    [
      { ALLOW_FILE_URLS: 'srv/git' },
      'ALLOW_FILE_URLS is "srv/git", but it takes true, false, or absolute folders such as /srv/git, with commas between.',
    ],
    [{ ALLOW_FILE_URLS: '/srv/git,true' }, 'ALLOW_FILE_URLS is "/srv/git,true", but it takes true, false, or absolute'],
    [
      { GITHUB_TOKEN_TENANTS: 'acme' },
      'GITHUB_TOKEN_TENANTS is "acme", but it takes ids of tenants, with commas between.',
    ],
    [
      { GIT_HOST_KINDS: 'git.example.com=gogs' },
      'GIT_HOST_KINDS is "git.example.com=gogs", but it takes hosts and what they run (github, gitlab, bitbucket, gitea), such as git.example.com=gitea, with commas between.',
    ],
    [
      { GIT_HOST_KINDS: 'https://git.example.com=gitea' },
      'GIT_HOST_KINDS is "https://git.example.com=gitea", but it takes',
    ],
    [{ GIT_KNOWN_HOSTS: 'known_hosts' }, 'GIT_KNOWN_HOSTS is "known_hosts", but it takes the absolute path of a file.'],
    [{ MAX_FILE_BYTES: '2 MB' }, 'MAX_FILE_BYTES is "2 MB", but it takes a size in bytes, such as 1048576 or 2 MiB.'],
    [{ TRUST_PROXY: 'foo' }, 'TRUST_PROXY is "foo", but it takes networks such as 10.0.0.0/8, with commas between.'],
    [{ TRUST_PROXY: '10' }, 'TRUST_PROXY is "10", but it takes networks such as 10.0.0.0/8, with commas between.'],
    [{ TRUST_PROXY: ',' }, 'TRUST_PROXY is ",", but it takes networks such as 10.0.0.0/8, with commas between.'],
    [
      { TRUST_PROXY: '10.0.0.0/33' },
      'TRUST_PROXY is "10.0.0.0/33", but it takes networks such as 10.0.0.0/8, with commas between.',
    ],
    ...[
      '*',
      'https://*.example.com',
      'https://app.example.com/',
      'https://App.example.com',
      'null',
      'app.example.com',
    ].map((given): [Record<string, string>, string] => [
      { CORS_ORIGINS: `https://a.example.com, ${given}` },
      `CORS_ORIGINS is "https://a.example.com, ${given}", but it takes origins such as https://app.example.com, without`,
    ]),
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", but it takes one of trace, debug, info, warn, error, fatal, silent.'],
    [{ GITHUB_GIT_URL: 'ftp://x' }, 'GITHUB_GIT_URL is "ftp://x", but it takes an http:// or https:// URL.'],
    [{ KAFKA_BROKERS: 'kafka' }, 'KAFKA_BROKERS is "kafka", but it takes host:port, with commas between.'],
    [{ OPENSEARCH_URL: 'es' }, 'OPENSEARCH_URL is a value that does not fit, but it takes an http:// or https:// URL.'],
    [{ S3_ENDPOINT: 'http://s3' }, 'S3_ACCESS_KEY_ID is unset, but S3_ENDPOINT needs it.'],
    [
      { KAFKA_BROKERS: 'a:1', KAFKA_SASL_MECHANISM: 'plain' },
      'KAFKA_USERNAME is unset, but KAFKA_SASL_MECHANISM needs it.',
    ],
    [
      { KAFKA_BROKERS: 'a:1', KAFKA_USERNAME: 'footnote', KAFKA_PASSWORD: 'secret' },
      'KAFKA_SASL_MECHANISM is unset, but KAFKA_USERNAME and KAFKA_PASSWORD need it.',
    ],
    [
      {
        PRIVATE_REGISTRIES:
          '[{"ecosystem":"npm","url":"https://x:y@npm.example","names":["@acme/*"],"tenants":["acme"]}]',
      },
      'PRIVATE_REGISTRIES is a value that does not fit, but it takes a JSON list such as [{"ecosystem":"npm"',
    ],
    [{ NPM_REGISTRY_URL: 'npm' }, 'NPM_REGISTRY_URL is "npm", but it takes an http:// or https:// URL.'],
    [{ DATABASE_URL: 'postgres://db/x' }, 'MASTER_KEY is unset, but DATABASE_URL needs it'],
  ])('stops at %j with one sentence', (environment, sentence) => {
    expect(() => load(environment)).toThrow(sentence);
  });

  it.each([
    [{ EMBEDDING_DIMENSIONS: '64' }, 'EMBEDDING_DIMENSIONS is set, but it needs EMBEDDING_MODEL.'],
    [
      { EMBEDDING_SIMILARITY_RANGE: '0.8-0.2' },
      'EMBEDDING_SIMILARITY_RANGE is "0.8-0.2", but it takes two cosines, the lower first, such as 0.2-0.8.',
    ],
  ])('stops at %j of the embedding model', (environment, sentence) => {
    expect(() => load(environment as unknown as Record<string, string>)).toThrow(sentence);
  });

  describe('of an OpenID Connect provider', () => {
    const provider = {
      ...{ OIDC_ISSUER: 'https://id.example.com/app/', OIDC_CLIENT_ID: 'footnote', OIDC_CLIENT_SECRET: 'hunter2' },
      PUBLIC_URL: 'https://footnote.example.com/',
    };

    it('reads what it needs, and the order in which roles count', () => {
      const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'cn=admins,dc=x=owner, staff = member' };
      expect(() => load({ ...provider, ...roles })).toThrow(
        'OIDC_ROLES is "cn=admins,dc=x=owner, staff = member", but',
      );
      const { identity } = load({ ...provider, ...roles, OIDC_ROLES: 'ou=admins=owner, staff = member' });
      expect(identity).toEqual({
        ...{ issuer: 'https://id.example.com/app/', clientId: 'footnote', clientSecret: 'hunter2' },
        ...{ scopes: 'openid email profile', tenantId: FIRST_TENANT_ID, roleClaim: 'groups', trustEmail: false },
        redirectUri: 'https://footnote.example.com/auth/oidc/callback',
        roles: [
          { value: 'ou=admins', role: 'owner' },
          { value: 'staff', role: 'member' },
        ],
        defaultRole: null,
      });
      expect(load({}).identity).toBeUndefined();
    });

    it.each([
      [
        { OIDC_ISSUER: 'http://id.example.com' },
        'OIDC_ISSUER is "http://id.example.com", but it takes an https:// URL',
      ],
      [{ OIDC_ISSUER: 'https://id.example.com?a=b' }, 'but it takes an https:// URL without query and fragment'],
      [{ OIDC_ISSUER: '' }, 'OIDC_CLIENT_ID is set, but it needs OIDC_ISSUER.'],
      [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET is unset, but OIDC_ISSUER needs it.'],
      [{ PUBLIC_URL: '' }, 'PUBLIC_URL is unset, but OIDC_ISSUER needs it.'],
      [{}, 'OIDC_ROLES is unset and OIDC_DEFAULT_ROLE is none: nobody could sign in.'],
      [{ OIDC_ROLES: 'a=owner' }, 'Of OIDC_ROLE_CLAIM and OIDC_ROLES one is set, but each needs the other.'],
      [{ OIDC_ROLES: 'a=admin' }, 'OIDC_ROLES is "a=admin", but it takes values and their roles'],
      [{ OIDC_SCOPES: 'email' }, 'OIDC_SCOPES is "email", but it takes scopes with blanks between, openid among them.'],
      [{ OIDC_TENANT: 'acme' }, 'OIDC_TENANT is "acme", but it takes the id of a tenant.'],
    ])('stops at %j', (change, sentence) => {
      expect(() => load({ ...provider, ...change })).toThrow(sentence);
    });
  });

  it('gives a key to the endpoint it belongs to, and to no other', () => {
    const openai = { OPENAI_API_KEY: 'sk-openai', EMBEDDING_MODEL: 'm' };
    expect(load({ OPENAI_API_KEY: 'sk-openai' }).embedding).toBeUndefined();
    expect(load(openai).embedding).toMatchObject({ baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-openai' });
    const own = { ...openai, EMBEDDING_BASE_URL: 'http://gpu:8000/v1/' };
    expect(load(own).embedding).toMatchObject({ baseUrl: 'http://gpu:8000/v1', apiKey: undefined });
    expect(load({ ...own, EMBEDDING_API_KEY: 'sk-own' }).embedding?.apiKey).toBe('sk-own');
  });

  it('reads what runs on git hosts, with a port or without, and which host keys count', () => {
    expect(load({}).git).toEqual({ hostKinds: {}, knownHosts: undefined });
    const given = {
      GIT_HOST_KINDS: 'Git.example.com=gitea, code.example.org:8443=GitLab',
      GIT_KNOWN_HOSTS: '/etc/a/../hosts',
    };
    expect(load(given).git).toEqual({
      hostKinds: { 'git.example.com': 'gitea', 'code.example.org:8443': 'gitlab' },
      knownHosts: '/etc/hosts',
    });
  });

  it('reads where file:// sources may lie, and where never', () => {
    const below = (ALLOW_FILE_URLS: string) => load({ ALLOW_FILE_URLS, DATA_DIR: '/data' }).network.fileUrls;
    expect(below('true')).toEqual({ below: ['/'], except: '/data' });
    expect(below('false')).toEqual({ below: [], except: '/data' });
    expect(below('/srv/git, /srv/a/../mirrors')).toEqual({ below: ['/srv/git', '/srv/mirrors'], except: '/data' });
  });

  it('gives the token of GitHub to the tenants that are named, else to the first of a process of its own', () => {
    const other = '01890000-0000-7000-8000-00000000000a';
    const servers = {
      ...{ EVENTSTORE_URL: 'esdb://es:2113', DATABASE_URL: 'postgres://db/x', MASTER_KEY: 'ab'.repeat(32) },
      ...{ OPENSEARCH_URL: 'http://os:9200', KAFKA_BROKERS: 'kafka:9092' },
      ...{ S3_ENDPOINT: 'http://s3', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
    };
    expect(load({}).github.tokenTenants).toEqual([FIRST_TENANT_ID]);
    expect(load(servers).github.tokenTenants).toEqual([]);
    const named = { GITHUB_TOKEN_TENANTS: `${other}, ${FIRST_TENANT_ID}` };
    expect(load({ ...servers, ...named }).github.tokenTenants).toEqual([other, FIRST_TENANT_ID]);
    expect(load({ GITHUB_TOKEN_TENANTS: other }).github.tokenTenants).toEqual([other]);
  });

  it('tells an empty prefix from one that is not set, and reads a range', () => {
    const set = { EMBEDDING_MODEL: 'm', EMBEDDING_PASSAGE_PREFIX: 'none', EMBEDDING_SIMILARITY_RANGE: '-0.1 - .75' };
    expect(load(set).embedding).toMatchObject({
      queryPrefix: undefined,
      passagePrefix: '',
      similarityRange: { low: -0.1, high: 0.75 },
    });
  });

  it('reads plans, of which each has from the standard one what it does not say itself', () => {
    const plans = { team: { search: { hour: 10, day: null }, requests: { minute: 5 } } };
    const { quota } = load({ QUOTA_PLANS: JSON.stringify(plans), DEFAULT_PLAN: 'team' });
    expect(quota.defaultPlan).toBe('team');
    expect(quota.plans['team']?.limits).toEqual([
      { metric: 'requests', window: 'minute', limit: 5 },
      { metric: 'search', window: 'hour', limit: 10 },
      ...(quota.plans['standard']?.limits ?? []).filter(({ metric }) => !['requests', 'search'].includes(metric)),
    ]);
    expect(quota.plans['standard']?.limits).toHaveLength(9);
  });

  it.each([
    '',
    'team',
    '[]',
    '{"Team":{}}',
    '{"team":1}',
    '{"team":{"searches":{}}}',
    '{"team":{"search":{"minute":1}}}',
    '{"team":{"search":{"hour":-1}}}',
    '{"team":{"search":{"hour":"1"}}}',
  ])('refuses plans in one sentence: %s', (plans) => {
    if (plans === '') return expect(load({ QUOTA_PLANS: plans }).quota.defaultPlan).toBe('standard');
    expect(() => load({ QUOTA_PLANS: plans })).toThrow(/^QUOTA_PLANS is .* but it takes plans as JSON, [^\n]*\.$/);
  });

  it('refuses a default plan that there is not', () => {
    expect(() => load({ DEFAULT_PLAN: 'gold' })).toThrow('DEFAULT_PLAN is "gold", but it takes one of standard.');
  });

  it('never shows a secret that does not fit', () => {
    expect(() => load({ BOOTSTRAP_API_KEY: 'hunter2' })).toThrow(
      'BOOTSTRAP_API_KEY is a value that does not fit, but it takes fnt_ followed by 32 to 64 letters and digits.',
    );
  });

  it('reads .env, and the environment wins over it', () => {
    writeFileSync(join(folder.path, '.env'), 'PORT=9000\nHOST=0.0.0.0\n');
    expect(load({ PORT: '9001' }).http).toMatchObject({ host: '0.0.0.0', port: 9001 });
  });

  it('takes an empty value as unset', () => {
    expect(load({ PORT: '' }).http.port).toBe(8080);
  });

  it.each(Object.entries(VARIABLES))('documents %s and reads its own default', (_name, variable) => {
    expect(variable.meaning).toMatch(/\.$/);
    const { fallback } = variable;
    if (fallback !== undefined) expect(() => variable.parse(fallback)).not.toThrow();
  });

  it('is described by docs/configuration.md, row by row', () => {
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationPage());
  });
});
