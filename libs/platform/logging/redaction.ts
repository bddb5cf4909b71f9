const CENSORED = '[redacted]';

/**
 * Names whose values must not leave the process, anywhere in a log line; compared without case, `-`
 * and `_`. `query` and `parameters` also occur in a failed SQL statement; `detail` quotes the row
 * that PostgreSQL rejected.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'rawheaders'],
  ...['xapikey', 'apikey', 'key', 'privatekey', 'sshkey', 'masterkey'],
  ...[
    'token',
    'accesstoken',
    'refreshtoken',
    'idtoken',
    'csrftoken',
    'xcsrftoken',
    'xgitlabtoken',
    'privatetoken',
  ],
  ...[
    'password',
    'passphrase',
    'secret',
    'clientsecret',
    'hooksecret',
    'credentials',
    'codeverifier',
    'nonce',
  ],
  ...[
    'query',
    'parameters',
    'detail',
    'search',
    'content',
    'text',
    'body',
    'payload',
    'prompt',
    'email',
  ],
]);

/** Patterns of secrets inside a sentence, such as the message of a library's error. */
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bfnt_[0-9A-Za-z]{16,}/g, `fnt_${CENSORED}`],
  [/\bwhsec_[0-9A-Za-z+/=_-]{16,}/g, `whsec_${CENSORED}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/g, CENSORED],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${CENSORED}`],
  [/(?<=[a-z]:\/\/)[^\s/?#@"']{1,2048}@/gi, `${CENSORED}@`],
  [/\?(?<=\/[^\s?#"'<>]{0,500}\?)[^\s"'<>]+/g, `?${CENSORED}`],
];

/**
 * Returns a log line without secrets. It has no value of a secret's name, however deep. It has no
 * text that looks like a secret or like the query string of a URL.
 */
export function redactedLine(line: string): string {
  return `${JSON.stringify(JSON.parse(line, censor))}\n`;
}

function censor(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (SECRET_NAMES.has(name.toLowerCase().replace(/[-_]/g, ''))) return CENSORED;
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

function withoutSecrets(text: string): string {
  return SECRET_SHAPES.reduce((rest, [shape, censored]) => rest.replace(shape, censored), text);
}
