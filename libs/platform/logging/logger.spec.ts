import { describe, expect, it } from '@jest/globals';

import { createLogger } from '#platform';

function capture(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  log(createLogger('info', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

describe('createLogger', () => {
  it('writes JSON lines with time, level and fields', () => {
    const line = JSON.parse(capture((logger) => logger.info({ job_id: 'j' }, 'started'))) as Record<
      string,
      unknown
    >;
    expect(line).toMatchObject({ level: 30, service: 'footnote', job_id: 'j', msg: 'started' });
    expect(line['time']).toMatch(/^\d{4}-.*Z$/);
  });

  it('never logs a credential, a query or a content, however deep', () => {
    const canary = 'fnt_canary';
    const output = capture((logger) => {
      logger.info(
        { authorization: canary, request: { token: canary, headers: { 'x-api-key': canary } } },
        'seen',
      );
      logger
        .child({ password: canary })
        .info({ query: canary, chunk: { content: canary } }, 'seen');
    });
    expect(output).not.toContain(canary);
    expect(output).toContain('[redacted]');
  });

  it.each([
    ['authorization', 'Authorization'],
    ['cookie', 'set-cookie'],
    ['x-api-key', 'X-CSRF-Token'],
    ['x-gitlab-token', 'client_secret'],
    ['password', 'id_token'],
    ['rawHeaders', 'codeVerifier'],
  ])('removes values of %s and %s, in children, errors, causes and far down', (first, second) => {
    const canary = 'planted-canary';
    const cause = Object.assign(new Error('refused'), {
      response: { headers: { [first]: [canary] } },
    });
    const output = capture((logger) => {
      logger
        .child({ [first]: canary })
        .info({ a: { b: { c: { [second]: { value: canary } } } } }, 'seen');
      logger.error(
        { err: Object.assign(new Error('failed', { cause }), { config: { [second]: canary } }) },
        'seen',
      );
    });
    expect(output).toContain('refused');
    expect(output.split('\n').filter((line) => line !== '')).toHaveLength(2);
    expect(output).not.toContain(canary);
  });

  it.each([
    [
      'an API key',
      `the key fnt_${'a1'.repeat(16)} is unknown`,
      'the key fnt_[redacted] is unknown',
    ],
    ["a hook's secret", `signed with whsec_${'Zz+/'.repeat(11)}=`, 'signed with whsec_[redacted]'],
    [
      'a signed token',
      'of eyJhbGciOiJub25l.eyJzdWIiOiJhbGljZSJ9.c2ln it says',
      'of [redacted] it says',
    ],
    ['a bearer', 'sent "Bearer abc.def-ghi" there', 'sent "Bearer [redacted]" there'],
    [
      'userinfo',
      'clone https://me:hunter2@example.com/a.git',
      'clone https://[redacted]@example.com/a.git',
    ],
    ['a query string', 'GET /search?q=my+words&x=1 failed', 'GET /search?[redacted] failed'],
    [
      'a callback',
      'at https://a.example/cb?code=abc&state=def',
      'at https://a.example/cb?[redacted]',
    ],
    ['no secret at all', 'What is it? /a/b is 3 of 5', 'What is it? /a/b is 3 of 5'],
  ])('removes %s from sentences', (_, sentence, written) => {
    const error = new Error(sentence);
    const line = capture((logger) =>
      logger.warn({ err: error, error: sentence, deep: [{ sentence }] }, sentence),
    );
    const { msg, error: reported, deep, err } = JSON.parse(line) as Record<string, unknown>;
    expect([msg, reported, deep]).toEqual([written, written, [{ sentence: written }]]);
    expect(err).toMatchObject({ type: 'Error', message: written });
  });

  it('writes one line for each, whatever is in it', () => {
    const hostile = 'a\n{"level":60,"msg":"forged"}\u001b[31m\r\n';
    const output = capture((logger) => logger.info({ name: hostile }, hostile));
    expect(output.endsWith('\n')).toBe(true);
    for (const control of ['\n', '\r', '\u001b']) expect(output.trimEnd()).not.toContain(control);
    expect(JSON.parse(output)).toMatchObject({ level: 30, name: hostile, msg: hostile });
  });

  it('stays silent below its level', () => {
    expect(capture((logger) => logger.debug({}, 'detail'))).toBe('');
  });
});
