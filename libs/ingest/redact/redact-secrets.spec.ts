import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { HARMLESS, plantedSecrets } from '#test/support/planted-secrets';

import { carriesSecret, REDACTION_VERSION, redactSecrets } from './redact-secrets.js';
import { TOKEN_RULES } from './token-rules.js';

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const KEY_LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';

describe('redaction', () => {
  it.each(
    plantedSecrets(11, 180).map(
      (planted, index) => [`${index}: ${planted.kind}`, planted] as const,
    ),
  )(
    'puts the marker of its kind in the place of %s, and leaves the lines around it',
    (_, { kind, secret, lines }) => {
      const text = `# Set-up\r\n\n${lines}\nlast line`;
      const redacted = redactSecrets(text);
      expect(redacted.text).not.toContain(secret);
      expect(redacted.text).not.toContain(secret.slice(-12));
      expect(redacted.text).toContain(`[redacted:${kind}]`);
      expect(redacted.found).toEqual({ [kind]: 1 });
      expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length);
      expect(redacted.text.startsWith('# Set-up\r\n\n')).toBe(true);
      expect(redacted.text.endsWith('\nlast line')).toBe(true);
      expect(redactSecrets(redacted.text)).toEqual({ text: redacted.text, found: {} });
    },
  );

  it.each(HARMLESS)('leaves %s', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: {} });
  });

  it('keeps every other character, and counts by kind', () => {
    expect(redactSecrets(`a = "${TOKEN}" // ${TOKEN}\nhttps://me:s3cr-T7xq@h.io/x`)).toEqual({
      text: 'a = "[redacted:github_token]" // [redacted:github_token]\nhttps://me:[redacted:url_password]@h.io/x',
      found: { github_token: 2, url_password: 1 },
    });
  });

  it('finds a token behind an escaped line break, in a URL and at the ends of the text', () => {
    for (const text of [
      `"a\\n${TOKEN}\\nb"`,
      `https://h.io/?t=${TOKEN}&u=1`,
      TOKEN,
      `(${TOKEN})`,
    ]) {
      expect(redactSecrets(text).text).toBe(text.replace(TOKEN, '[redacted:github_token]'));
    }
    const within = `x${TOKEN}`;
    expect(redactSecrets(within).text).toBe(within);
  });

  it('keeps the lines of a private key, its indents and what joins the pieces of a literal', () => {
    const pem = (lines: string[]) =>
      ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n');
    expect(redactSecrets(pem([`  ${KEY_LINE}\r`, `  ${KEY_LINE}\r`, '  QUJD\r'])).text).toBe(
      pem(['  [redacted:private_key]\r', '  \r', '  \r']),
    );
    expect(redactSecrets(pem([`"${KEY_LINE}\\n" +`, `"QUJD\\n" +`])).text).toBe(
      pem(['"[redacted:private_key]\\n" +', '"\\n" +']),
    );
  });

  it('takes a private key whose end is cut off as far as its lines go', () => {
    const text = `-----BEGIN RSA PRIVATE KEY-----\n${KEY_LINE}\n${KEY_LINE}\n\nThe rest was lost.`;
    expect(redactSecrets(text).text).toBe(
      '-----BEGIN RSA PRIVATE KEY-----\n[redacted:private_key]\n\n\nThe rest was lost.',
    );
  });

  it('redacts every value with a secret name in a file of settings', () => {
    const text =
      'AUTHOR=someone\nPORT=80\nDB_PASSWORD=sommer\nexport API_KEY="abc"\nTOKEN=${OTHER}\n';
    expect(redactSecrets(text, 'deploy/.env').text).toBe(
      'AUTHOR=someone\nPORT=80\nDB_PASSWORD=[redacted:setting]\nexport API_KEY="[redacted:setting]"\nTOKEN=${OTHER}\n',
    );
    expect(redactSecrets(text, '.env.example').text).toBe(text);
  });

  it('recognizes names that contain one', () => {
    expect(carriesSecret(`backup/${TOKEN}.txt`)).toBe(true);
    expect(carriesSecret('src/tokens/github-token.spec.ts')).toBe(false);
  });
});

describe('the rules', () => {
  it('have sticky patterns with bounded repetitions alone', () => {
    for (const { pattern } of TOKEN_RULES) {
      expect(pattern.flags).toBe('y');
      expect(pattern.source.replace(/\[(?:\\.|[^\]\\])*\]/g, 'C')).not.toMatch(
        /(?<!\\)[+*]|\{\d+,\}/,
      );
    }
  });

  it('have a version that is raised with them, so that what they say now is applied to what is indexed', () => {
    const table = TOKEN_RULES.map(({ kind, literals: known, pattern }) => [
      kind,
      known,
      pattern.source,
    ]);
    const digest = createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 16);
    // A changed digest requires a higher version.
    expect({ version: REDACTION_VERSION, digest }).toEqual({
      version: 1,
      digest: '1547d3a5ce2b58ad',
    });
  });

  const literals = TOKEN_RULES.flatMap((rule) => rule.literals);
  const name = 'api_key        ';
  it.each([
    ['one character', 'a'],
    ['the beginning of a URL', '://a:b'],
    ['URLs with long passwords', `://u:${'p'.repeat(190)} `],
    ['JWTs without an end', `eyJ${'a'.repeat(90)}.`],
    ['names without values', 'token'],
    ['names with almost a value', `${name}${'Ab1'.repeat(80)}(`],
    ['names with open quotes', `secret = "${'Ab1'.repeat(80)} `],
    ['the first lines of keys', '-----BEGIN RSA PRIVATE KEY-----\n'],
    ['first lines of keys with data', `-----BEGIN PRIVATE KEY-----\n${KEY_LINE}`],
    ['first lines of PuTTY keys', 'PuTTY-User-Key-File-3: '],
    ['settings without values', 'KEY_'],
    ...literals.map((literal) => [`the literal ${literal}`, literal] as const),
  ])('take linear time for a megabyte of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const before = process.cpuUsage();
    redactSecrets(text, '.env');
    const { user } = process.cpuUsage(before);
    expect(user / 1_000).toBeLessThan(2_500);
  });
});
