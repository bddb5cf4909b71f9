import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FIRST_TENANT_ID, loadConfig, VARIABLES } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { configurationPage } from './configuration-page.js';

describe('loadConfig', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const load = (environment: Record<string, string>) => loadConfig(environment, folder.path);

  it('has a default for every variable', () => {
    expect(load({})).toMatchObject({
      http: { host: '127.0.0.1', port: 8080, trustProxy: [], corsOrigins: [], webUi: true },
      dataDir: join(folder.path, '.footnote'),
      network: {
        allowPrivateNetworks: false,
        fileUrls: { below: [], except: join(folder.path, '.footnote') },
      },
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

  it('embeds every engine that has no address', () => {
    const { engines } = load({ KAFKA_BROKERS: 'one:9092, two:9092' });
    expect(engines).toMatchObject({
      kafka: { brokers: ['one:9092', 'two:9092'], ssl: false, partitions: 12, replication: 1 },
    });
    expect([engines.eventStore, engines.postgres, engines.openSearch, engines.s3]).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('has the default registries and the configured ones', () => {
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

  it('is frozen at every level', () => {
    const config = load({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.http)).toBe(true);
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT must be an integer from 0 to 65535 (got "eighty")'],
    [{ PORT: '70000' }, 'PORT must be an integer from 0 to 65535 (got "70000")'],
    [{ ALLOW_PRIVATE_NETWORKS: 'yes' }, 'ALLOW_PRIVATE_NETWORKS must be true or false (got "yes")'],
    [
      { ALLOW_FILE_URLS: 'srv/git' },
      'ALLOW_FILE_URLS must be true, false, or absolute folders such as /srv/git, separated by commas (got "srv/git")',
    ],
    [{ ALLOW_FILE_URLS: '/srv/git,true' }, 'separated by commas (got "/srv/git,true")'],
    [
      { GITHUB_TOKEN_TENANTS: 'acme' },
      'GITHUB_TOKEN_TENANTS must be tenant IDs separated by commas (got "acme")',
    ],
    [
      { GIT_HOST_KINDS: 'git.example.com=gogs' },
      'GIT_HOST_KINDS must be hosts with their kind (github, gitlab, bitbucket, gitea), such as git.example.com=gitea, separated by commas (got "git.example.com=gogs")',
    ],
    [
      { GIT_HOST_KINDS: 'https://git.example.com=gitea' },
      'separated by commas (got "https://git.example.com=gitea")',
    ],
    [
      { GIT_KNOWN_HOSTS: 'known_hosts' },
      'GIT_KNOWN_HOSTS must be the absolute path of a file (got "known_hosts")',
    ],
    [
      { MAX_FILE_BYTES: '2 MB' },
      'MAX_FILE_BYTES must be a size in bytes, such as 1048576 or 2 MiB (got "2 MB")',
    ],
    [
      { TRUST_PROXY: 'foo' },
      'TRUST_PROXY must be networks such as 10.0.0.0/8, separated by commas (got "foo")',
    ],
    [
      { TRUST_PROXY: '10' },
      'TRUST_PROXY must be networks such as 10.0.0.0/8, separated by commas (got "10")',
    ],
    [
      { TRUST_PROXY: ',' },
      'TRUST_PROXY must be networks such as 10.0.0.0/8, separated by commas (got ",")',
    ],
    [
      { TRUST_PROXY: '10.0.0.0/33' },
      'TRUST_PROXY must be networks such as 10.0.0.0/8, separated by commas (got "10.0.0.0/33")',
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
      `without a path, separated by commas (got "https://a.example.com, ${given}")`,
    ]),
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (got "loud")',
    ],
    [
      { GITHUB_API_URL: 'api.github.com' },
      'GITHUB_API_URL must be an http:// or https:// URL (got "api.github.com")',
    ],
    [
      { GITHUB_GIT_URL: 'ftp://x' },
      'GITHUB_GIT_URL must be an http:// or https:// URL (got "ftp://x")',
    ],
    [
      { KAFKA_BROKERS: 'kafka' },
      'KAFKA_BROKERS must be host:port entries separated by commas (got "kafka")',
    ],
    [
      { OPENSEARCH_URL: 'es' },
      'OPENSEARCH_URL must be an http:// or https:// URL (the given value is not shown)',
    ],
    [{ S3_ENDPOINT: 'http://s3' }, 'S3_ACCESS_KEY_ID is required when S3_ENDPOINT is set'],
    [
      { KAFKA_BROKERS: 'a:1', KAFKA_SASL_MECHANISM: 'plain' },
      'KAFKA_USERNAME is required when KAFKA_SASL_MECHANISM is set',
    ],
    [
      { KAFKA_BROKERS: 'a:1', KAFKA_USERNAME: 'footnote', KAFKA_PASSWORD: 'secret' },
      'KAFKA_SASL_MECHANISM is required when KAFKA_USERNAME or KAFKA_PASSWORD is set',
    ],
    [
      {
        PRIVATE_REGISTRIES:
          '[{"ecosystem":"npm","url":"https://x:y@npm.example","names":["@acme/*"],"tenants":["acme"]}]',
      },
      'PRIVATE_REGISTRIES must be a JSON list such as [{"ecosystem":"npm"',
    ],
    [
      { NPM_REGISTRY_URL: 'npm' },
      'NPM_REGISTRY_URL must be an http:// or https:// URL (got "npm")',
    ],
    [{ DATABASE_URL: 'postgres://db/x' }, 'MASTER_KEY is required when DATABASE_URL is set'],
  ])('rejects %j with one sentence', (environment, sentence) => {
    expect(() => load(environment)).toThrow(sentence);
  });

  it.each([
    [
      { EMBEDDING_DIMENSIONS: '64' },
      'EMBEDDING_MODEL is required when EMBEDDING_DIMENSIONS is set',
    ],
    [
      { EMBEDDING_SIMILARITY_RANGE: '0.8-0.2' },
      'EMBEDDING_SIMILARITY_RANGE must be two cosines, the lower first, such as 0.2-0.8 (got "0.8-0.2")',
    ],
  ])('rejects %j for the embedding model', (environment, sentence) => {
    expect(() => load(environment as unknown as Record<string, string>)).toThrow(sentence);
  });

  it.each([
    [{ RERANK_MODEL: 'm' }, 'RERANK_BASE_URL is required when RERANK_MODEL is set'],
    [{ RERANK_BASE_URL: 'http://gpu' }, 'RERANK_MODEL is required when RERANK_BASE_URL is set'],
    [{ RERANK_BASE_URL: 'gpu' }, 'RERANK_BASE_URL must be an http:// or https:// URL (got "gpu")'],
    [{ RERANK_FORMAT: 'jina' }, 'RERANK_FORMAT must be one of cohere, tei (got "jina")'],
    [
      { RERANK_TIMEOUT_SECONDS: '31' },
      'RERANK_TIMEOUT_SECONDS must be an integer from 1 to 30 (got "31")',
    ],
  ])('rejects %j for the reranker', (environment, sentence) => {
    expect(() => load(environment as unknown as Record<string, string>)).toThrow(sentence);
  });

  it('has no reranker by default, and one with an endpoint', () => {
    expect(load({}).rerank).toBeUndefined();
    const set = { RERANK_BASE_URL: 'http://gpu:8000/v1/', RERANK_MODEL: 'm' };
    expect(
      load({ ...set, OPENAI_API_KEY: 'sk-openai', RERANK_TIMEOUT_SECONDS: '30' }).rerank,
    ).toEqual({
      baseUrl: 'http://gpu:8000/v1',
      model: 'm',
      format: 'cohere',
      apiKey: undefined,
      timeoutSeconds: 30,
    });
  });

  describe('of an OpenID Connect provider', () => {
    const provider = {
      OIDC_ISSUER: 'https://id.example.com/app/',
      OIDC_CLIENT_ID: 'footnote',
      OIDC_CLIENT_SECRET: 'hunter2',
      PUBLIC_URL: 'https://footnote.example.com/',
    };

    it('reads all settings and keeps the order of roles', () => {
      const roles = {
        OIDC_ROLE_CLAIM: 'groups',
        OIDC_ROLES: 'cn=admins,dc=x=owner, staff = member',
      };
      expect(() => load({ ...provider, ...roles })).toThrow(
        '(got "cn=admins,dc=x=owner, staff = member")',
      );
      const { identity } = load({
        ...provider,
        ...roles,
        OIDC_ROLES: 'ou=admins=owner, staff = member',
      });
      expect(identity).toEqual({
        issuer: 'https://id.example.com/app/',
        clientId: 'footnote',
        clientSecret: 'hunter2',
        scopes: 'openid email profile',
        tenantId: FIRST_TENANT_ID,
        roleClaim: 'groups',
        trustEmail: false,
        redirectUri: 'https://footnote.example.com/auth/oidc/callback',
        mcpResource: 'https://footnote.example.com/mcp',
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
        'OIDC_ISSUER must be an https:// URL without query and fragment (http:// only on this machine) (got "http://id.example.com")',
      ],
      [
        { OIDC_ISSUER: 'https://id.example.com?a=b' },
        'must be an https:// URL without query and fragment',
      ],
      [{ OIDC_ISSUER: '' }, 'OIDC_ISSUER is required when OIDC_CLIENT_ID is set'],
      [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET is required when OIDC_ISSUER is set'],
      [{ PUBLIC_URL: '' }, 'PUBLIC_URL is required when OIDC_ISSUER is set'],
      [{}, 'OIDC_ROLES is required with OIDC_DEFAULT_ROLE=none; otherwise nobody could sign in'],
      [{ OIDC_ROLES: 'a=owner' }, 'OIDC_ROLE_CLAIM and OIDC_ROLES must be set together'],
      [
        { OIDC_ROLES: 'a=admin' },
        'OIDC_ROLES must be values with their roles (owner, member, auditor)',
      ],
      [
        { OIDC_SCOPES: 'email' },
        'OIDC_SCOPES must be scopes separated by spaces, including openid (got "email")',
      ],
      [{ OIDC_TENANT: 'acme' }, 'OIDC_TENANT must be a tenant ID (got "acme")'],
    ])('rejects %j', (change, sentence) => {
      expect(() => load({ ...provider, ...change })).toThrow(sentence);
    });
  });

  it('uses each key only for its own endpoint', () => {
    const openai = { OPENAI_API_KEY: 'sk-openai', EMBEDDING_MODEL: 'm' };
    expect(load({ OPENAI_API_KEY: 'sk-openai' }).embedding).toBeUndefined();
    expect(load(openai).embedding).toMatchObject({
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'sk-openai',
    });
    const own = { ...openai, EMBEDDING_BASE_URL: 'http://gpu:8000/v1/' };
    expect(load(own).embedding).toMatchObject({ baseUrl: 'http://gpu:8000/v1', apiKey: undefined });
    expect(load({ ...own, EMBEDDING_API_KEY: 'sk-own' }).embedding?.apiKey).toBe('sk-own');
  });

  it('reads kinds of git hosts, with or without a port, and the file of host keys', () => {
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

  it('reads the folders of file:// sources, and excludes DATA_DIR', () => {
    const below = (ALLOW_FILE_URLS: string) =>
      load({ ALLOW_FILE_URLS, DATA_DIR: '/data' }).network.fileUrls;
    expect(below('true')).toEqual({ below: ['/'], except: '/data' });
    expect(below('false')).toEqual({ below: [], except: '/data' });
    expect(below('/srv/git, /srv/a/../mirrors')).toEqual({
      below: ['/srv/git', '/srv/mirrors'],
      except: '/data',
    });
  });

  it('uses the GitHub token for the named tenants, else for the first tenant of a sole process', () => {
    const other = '01890000-0000-7000-8000-00000000000a';
    const servers = {
      EVENTSTORE_URL: 'esdb://es:2113',
      DATABASE_URL: 'postgres://db/x',
      MASTER_KEY: 'ab'.repeat(32),
      OPENSEARCH_URL: 'http://os:9200',
      KAFKA_BROKERS: 'kafka:9092',
      S3_ENDPOINT: 'http://s3',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    expect(load({}).github.tokenTenants).toEqual([FIRST_TENANT_ID]);
    expect(load(servers).github.tokenTenants).toEqual([]);
    const named = { GITHUB_TOKEN_TENANTS: `${other}, ${FIRST_TENANT_ID}` };
    expect(load({ ...servers, ...named }).github.tokenTenants).toEqual([other, FIRST_TENANT_ID]);
    expect(load({ GITHUB_TOKEN_TENANTS: other }).github.tokenTenants).toEqual([other]);
  });

  it('reads witnesses as key and address, and rejects other forms', () => {
    const key = `witness.example+0123abcd+BA${'a'.repeat(42)}`;
    const witnesses = [
      { key, url: 'https://witness.example' },
      { key, url: 'http://10.0.0.1:8090/w' },
    ];
    const AUDIT_WITNESSES = `${key} https://witness.example/, ${key}  http://10.0.0.1:8090/w`;
    expect(load({ AUDIT_WITNESSES }).audit.witnesses).toEqual(witnesses);
    expect(load({}).audit).toMatchObject({ checkpointMinutes: 60, witnesses: [] });
    for (const given of [key, `${key} ftp://w`, `${key} https://w x`, 'w https://w', ','])
      expect(() => load({ AUDIT_WITNESSES: given })).toThrow('AUDIT_WITNESSES must be at most 16');
    const many = Array.from({ length: 17 }, () => `${key} https://w`).join(',');
    expect(() => load({ AUDIT_WITNESSES: many })).toThrow('AUDIT_WITNESSES must be at most 16');
  });

  it('requires the credentials of the bucket for copies of checkpoints', () => {
    const AUDIT_COPIES_ENDPOINT = 'https://s3.example';
    expect(() => load({ AUDIT_COPIES_ENDPOINT })).toThrow(
      'AUDIT_COPIES_ACCESS_KEY_ID is required when AUDIT_COPIES_ENDPOINT is set',
    );
    const keys = { AUDIT_COPIES_ACCESS_KEY_ID: 'id', AUDIT_COPIES_SECRET_ACCESS_KEY: 'secret' };
    expect(load({ AUDIT_COPIES_ENDPOINT, ...keys }).audit.copies).toEqual({
      endpoint: AUDIT_COPIES_ENDPOINT,
      bucket: 'footnote-audit',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      days: 365,
    });
    expect(load(keys).audit.copies).toBeUndefined();
  });

  it('distinguishes an empty prefix from an unset one, and reads a range', () => {
    const set = {
      EMBEDDING_MODEL: 'm',
      EMBEDDING_PASSAGE_PREFIX: 'none',
      EMBEDDING_SIMILARITY_RANGE: '-0.1 - .75',
    };
    expect(load(set).embedding).toMatchObject({
      queryPrefix: undefined,
      passagePrefix: '',
      similarityRange: { low: -0.1, high: 0.75 },
    });
  });

  it('reads plans and fills in limits of the standard plan that they omit', () => {
    const plans = { team: { search: { hour: 10, day: null }, requests: { minute: 5 } } };
    const { quota } = load({ QUOTA_PLANS: JSON.stringify(plans), DEFAULT_PLAN: 'team' });
    expect(quota.defaultPlan).toBe('team');
    expect(quota.plans['team']?.limits).toEqual([
      { metric: 'requests', window: 'minute', limit: 5 },
      { metric: 'search', window: 'hour', limit: 10 },
      ...(quota.plans['standard']?.limits ?? []).filter(
        ({ metric }) => !['requests', 'search'].includes(metric),
      ),
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
  ])('rejects plans with one sentence: %s', (plans) => {
    if (plans === '')
      return expect(load({ QUOTA_PLANS: plans }).quota.defaultPlan).toBe('standard');
    expect(() => load({ QUOTA_PLANS: plans })).toThrow(
      /^QUOTA_PLANS must be plans as JSON, [^\n]* \(got [^\n]*\)$/,
    );
  });

  it('rejects an unknown default plan', () => {
    expect(() => load({ DEFAULT_PLAN: 'gold' })).toThrow(
      'DEFAULT_PLAN must be one of standard (got "gold")',
    );
  });

  it('never shows an invalid secret', () => {
    expect(() => load({ BOOTSTRAP_API_KEY: 'hunter2' })).toThrow(
      'BOOTSTRAP_API_KEY must be fnt_ followed by 32 to 64 letters and digits (the given value is not shown)',
    );
  });

  it('reads .env, and the environment wins over it', () => {
    writeFileSync(join(folder.path, '.env'), 'PORT=9000\nHOST=0.0.0.0\n');
    expect(load({ PORT: '9001' }).http).toMatchObject({ host: '0.0.0.0', port: 9001 });
  });

  it('treats an empty value as unset', () => {
    expect(load({ PORT: '' }).http.port).toBe(8080);
  });

  it.each(Object.entries(VARIABLES))(
    'documents %s and reads its own default',
    (_name, variable) => {
      expect(variable.meaning).toMatch(/\.$/);
      const { fallback } = variable;
      if (fallback !== undefined) expect(() => variable.parse(fallback)).not.toThrow();
    },
  );

  it('matches docs/configuration.md', () => {
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationPage());
  });
});
