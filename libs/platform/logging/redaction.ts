const CENSORED = '[redacted]';

/**
 * Names whose values never leave the process, wherever they stand in a log line; compared without
 * case, `-` and `_`. `query` and `parameters` are those of a failed SQL statement too, `detail`
 * quotes the row that PostgreSQL refused.
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

/** What a secret looks like inside a sentence, such as the message of a library's error. */
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bfnt_[0-9A-Za-z]{16,}/g, `fnt_${CENSORED}`],
  [/\bwhsec_[0-9A-Za-z+/=_-]{16,}/g, `whsec_${CENSORED}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/g, CENSORED],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${CENSORED}`],
  [/(?<=[a-z]:\/\/)[^\s/?#@"']{1,2048}@/gi, `${CENSORED}@`],
  [/\?(?<=\/[^\s?#"'<>]{0,500}\?)[^\s"'<>]+/g, `?${CENSORED}`],
];

/**
 * A line of the log as it may leave the process: no value of a secret's name, however deep, and
 * nothing that looks like a secret or like the query string of a URL in any text.
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
