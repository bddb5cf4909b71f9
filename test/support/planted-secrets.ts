import { seeded } from '#platform';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const BASE62 = LOWER + UPPER + DIGITS;
const BASE64 = `${BASE62}+/`;
const URL_SAFE = `${BASE62}_-`;

type Draw = (alphabet: string, length: number) => string;

/** A secret that was made up, and the line or lines in which it is planted. */
export interface PlantedSecret {
  /** The project's name for the kind. */
  readonly kind: string;
  /** No character of it may be left; of a block, its first line of data. */
  readonly secret: string;
  readonly lines: string;
}

type Planter = (draw: Draw) => PlantedSecret;

/** A way to write an assignment, taken in turn. */
const WRITTEN: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `const ${name} = '${value}';`,
  (name, value) => `  "${name}": "${value}",`,
  (name, value) => `export ${name}=${value}`,
  (name, value) => `${name}: ${value}`,
  (name, value) => `curl -H "X-${name}: ${value}" https://api.service.internal/v1`,
  (name, value) => `<${name}>${value}</${name}>`,
];

function token(kind: string, name: string, make: (draw: Draw) => string): Planter {
  let turn = 0;
  return (draw) => {
    const secret = make(draw);
    const write = WRITTEN[turn++ % WRITTEN.length] as (typeof WRITTEN)[number];
    return { kind, secret, lines: write(name, secret) };
  };
}

function pem(kind: string, label: string, lines: number, write: (line: string) => string): Planter {
  return (draw) => {
    const data = Array.from({ length: lines }, () => draw(BASE64, 64));
    const all = [`-----BEGIN ${label}-----`, ...data, `-----END ${label}-----`];
    return { kind, secret: data[0] as string, lines: all.map(write).join('\n') };
  };
}

const jwtPart = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A planter for each kind: formats as their issuers describe them, with new random values each
 * time.
 */
function planters(): readonly Planter[] {
  return [
    token('aws_access_key', 'aws_access_key_id', (draw) => `AKIA${draw(`${UPPER}234567`, 16)}`),
    token('aws_secret_key', 'aws_secret_access_key', (draw) => draw(BASE64, 40)),
    token('gcp_api_key', 'mapsKey', (draw) => `AIza${draw(URL_SAFE, 35)}`),
    token('google_oauth_secret', 'client', (draw) => `GOCSPX-${draw(URL_SAFE, 28)}`),
    (draw) => {
      const secret = `${draw(BASE64, 86)}==`;
      const lines = `conn = "DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=${secret};EndpointSuffix=core.windows.net"`;
      return { kind: 'azure_storage_key', secret, lines };
    },
    token(
      'azure_client_secret',
      'clientValue',
      (draw) => `${draw(BASE62, 3)}8Q~${draw(BASE62, 34)}`,
    ),
    token('github_token', 'GITHUB_TOKEN', (draw) => `ghp_${draw(BASE62, 36)}`),
    token('github_token', 'pat', (draw) => `github_pat_${draw(BASE62, 22)}_${draw(BASE62, 59)}`),
    token('gitlab_token', 'ci', (draw) => `glpat-${draw(URL_SAFE, 20)}`),
    token(
      'slack_token',
      'bot',
      (draw) => `xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 12)}-${draw(BASE62, 24)}`,
    ),
    (draw) => {
      const secret = `T${draw(UPPER, 8)}/B${draw(UPPER, 8)}/${draw(BASE62, 24)}`;
      return {
        kind: 'slack_webhook',
        secret,
        lines: `notify: https://hooks.slack.com/services/${secret}`,
      };
    },
    token('stripe_key', 'payments', (draw) => `sk_live_${draw(BASE62, 24)}`),
    token('npm_token', 'NPM_TOKEN', (draw) => `npm_${draw(BASE62, 36)}`),
    (draw) => {
      const secret = `${draw(HEX, 8)}-${draw(HEX, 4)}-4${draw(HEX, 3)}-a${draw(HEX, 3)}-${draw(HEX, 12)}`;
      return { kind: 'npm_token', secret, lines: `//registry.npmjs.org/:_authToken=${secret}` };
    },
    token('pypi_token', 'password', (draw) => `pypi-AgEIcHlwaS5vcmc${draw(URL_SAFE, 150)}`),
    token(
      'openai_key',
      'OPENAI_API_KEY',
      (draw) => `sk-proj-${draw(URL_SAFE, 74)}T3BlbkFJ${draw(URL_SAFE, 74)}`,
    ),
    token('anthropic_key', 'model', (draw) => `sk-ant-api03-${draw(URL_SAFE, 93)}AA`),
    token('twilio_key', 'sid', (draw) => `SK${draw(HEX, 32)}`),
    token('sendgrid_key', 'mail', (draw) => `SG.${draw(URL_SAFE, 22)}.${draw(URL_SAFE, 43)}`),
    token('jwt', 'session', (draw) => {
      const claims = jwtPart({ sub: draw(DIGITS, 8), iat: 1_700_000_000 });
      return `${jwtPart({ alg: 'HS256', typ: 'JWT' })}.${claims}.${draw(URL_SAFE, 43)}`;
    }),
    pem('private_key', 'RSA PRIVATE KEY', 25, (line) => line),
    pem('private_key', 'PRIVATE KEY', 25, (line) => `    "${line}\\n" +`),
    pem('private_key', 'OPENSSH PRIVATE KEY', 6, (line) => `  ${line}`),
    pem('pgp_private_key', 'PGP PRIVATE KEY BLOCK', 40, (line) => line),
    (draw) => {
      const data = draw(BASE64, 1600);
      const key = `-----BEGIN PRIVATE KEY-----\\n${data.match(/.{64}/g)?.join('\\n')}\\n-----END PRIVATE KEY-----\\n`;
      return {
        kind: 'private_key',
        secret: data.slice(0, 64),
        lines: `  "private_key": "${key}",`,
      };
    },
    (draw) => {
      const secret = draw(BASE62, 18);
      return {
        kind: 'url_password',
        secret,
        lines: `DATABASE_URL=postgres://app:${secret}@db.internal:5432/app`,
      };
    },
    token('api_key', 'apiKey', (draw) => draw(HEX, 40)),
    token('secret', 'client_secret', (draw) => draw(BASE62, 32)),
    token('token', 'access_token', (draw) => draw(URL_SAFE, 40)),
    (draw) => {
      const secret = `${draw(UPPER, 3)}${draw(LOWER, 5)}${draw(DIGITS, 3)}${draw('!#%&*', 2)}`;
      return { kind: 'password', secret, lines: `db_password = "${secret}"` };
    },
    token('telegram_token', 'bot', (draw) => `1${draw(DIGITS, 9)}:AA${draw(URL_SAFE, 33)}`),
    token('huggingface_token', 'hub', (draw) => `hf_${draw(LOWER + UPPER, 34)}`),
    token('digitalocean_token', 'cloud', (draw) => `dop_v1_${draw(HEX, 64)}`),
    token('shopify_token', 'shop', (draw) => `shpat_${draw(HEX, 32)}`),
    (draw) => {
      const secret = Buffer.from(`deploy:${draw(BASE62, 20)}`).toString('base64');
      return { kind: 'basic_credentials', secret, lines: `  Authorization: Basic ${secret}` };
    },
    (draw) => {
      const secret = draw(URL_SAFE, 48);
      return { kind: 'token', secret, lines: `curl -H 'Authorization: Bearer ${secret}' $HOST` };
    },
  ];
}

/** Secrets of every kind in turn; the same seed gives the same. */
export function plantedSecrets(seed: number, count: number): readonly PlantedSecret[] {
  const random = seeded(seed);
  const draw: Draw = (alphabet, length) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const all = planters();
  return Array.from({ length: count }, (_, index) => (all[index % all.length] as Planter)(draw));
}

/**
 * Texts that look like a secret but are not: placeholders, samples of documentation, hashes, names.
 */
export const HARMLESS: readonly string[] = [
  'aws_access_key_id = AKIAIOSFODNN7EXAMPLE',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'token: ghp_000000000000000000000000000000000000',
  'export OPENAI_API_KEY=sk-...',
  'OPENAI_API_KEY="your-openai-api-key-goes-here-1234"',
  'const apiKey = process.env.SERVICE_API_KEY_V2;',
  'const token = await this.tokens.nextToken2(request.headers.x1);',
  'password: "${DB_PASSWORD_2}"',
  'password = "Password123!"',
  'postgres://user:password@localhost:5432/db',
  'postgres://${user}:${password}@${host}/db',
  'https://<user>:<token>@github.com/acme/app.git',
  'redis://:$REDIS_PASSWORD@cache:6379',
  'slack: xoxb-your-token-here-please',
  'stripe: sk_test_xxxxxxxxxxxxxxxxxxxxxxxx',
  '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  'token_id: 018f0000-0000-7000-8000-00000000000a',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  'if (pem.startsWith("-----BEGIN RSA PRIVATE KEY-----")) return parsePrivateKey(pem, "-----END RSA PRIVATE KEY-----");',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@host',
  'publicKey: "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7bq0gXz9x8y7w6v5u4t3s2r1"',
  "paths: ['users.*.password', 'users.*.profile.preferences.apiKey2']",
  'export { resolveBearerToken, resolveAwsSdkSigV4Config };',
  `{htmlFor:"auth_password"},"Password:"),d?i.createElement("code",null)`,
  "'Lock-Token': 'urn:uuid:a515cfa4-5da4-22e1-f5b5-00a0451e6bf7'",
  'const task = "task-sk-3f786850e387550fdab836ed7e6dc881";',
];
