import { describe, expect, it } from '@jest/globals';

import { createLogger } from '#platform';

function capture(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  log(createLogger('info', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

describe('createLogger', () => {
  it('writes JSON lines with time, level and fields', () => {
    const line = JSON.parse(capture((logger) => logger.info({ job_id: 'j' }, 'started'))) as Record<string, unknown>;
    expect(line).toMatchObject({ level: 30, service: 'footnote', job_id: 'j', msg: 'started' });
    expect(line['time']).toMatch(/^\d{4}-.*Z$/);
  });

  it('never lets a credential, a query or a content out, however deep it stands', () => {
    const canary = 'fnt_canary';
    const output = capture((logger) => {
      logger.info({ authorization: canary, request: { token: canary, headers: { 'x-api-key': canary } } }, 'seen');
      logger.child({ password: canary }).info({ query: canary, chunk: { content: canary } }, 'seen');
    });
    expect(output).not.toContain(canary);
    expect(output).toContain('[redacted]');
  });

  it('stays silent below its level', () => {
    expect(capture((logger) => logger.debug({}, 'detail'))).toBe('');
  });
});
