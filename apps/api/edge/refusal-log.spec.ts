import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';

import { type ErrorCode, FootnoteError } from '#contracts';
import { createLogger } from '#platform';

import { errorAnswer } from './error-answer.js';
import { RefusalLog } from './refusal-log.js';

describe('the log of refusals', () => {
  let now = 0;
  const logged = (work: (note: (code: ErrorCode) => void) => void): Record<string, unknown>[] => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
    const log = new RefusalLog(logger, { monotonic: () => now });
    const headers = { authorization: 'Bearer planted-canary', 'user-agent': 'planted-canary' };
    const request = {
      id: 'r-1',
      ip: '203.0.113.9',
      method: 'GET',
      url: '/sources?q=planted-canary',
      headers,
    };
    work((code) =>
      log.note(
        request as unknown as FastifyRequest,
        errorAnswer(new FootnoteError(code, 'No'), 'r-1'),
      ),
    );
    expect(lines.join('')).not.toContain('planted-canary');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('names the refused caller and the reason, and nothing that was sent', () => {
    const reported = logged((note) =>
      ['unauthorized', 'scope_missing', 'rate_limited'].forEach((code) => note(code as ErrorCode)),
    );
    const who = {
      level: 40,
      request_id: 'r-1',
      ip: '203.0.113.9',
      method: 'GET',
      path: '/sources',
    };
    expect(reported).toMatchObject([
      { ...who, code: 'unauthorized' },
      { ...who, code: 'scope_missing' },
      { ...who, code: 'rate_limited' },
    ]);
  });

  it('says nothing of requests that are wrong in other ways', () => {
    expect(
      logged((note) =>
        (['validation_failed', 'source_not_found', 'internal_error'] as const).forEach(note),
      ),
    ).toEqual([]);
  });

  it('writes 20 lines a second at most, and then how many it left out', () => {
    const reported = logged((note) => {
      for (let tries = 0; tries < 10_000; tries += 1) note('unauthorized');
      now += 1_000;
      note('unauthorized');
      note('unauthorized');
    });
    expect(reported).toHaveLength(22);
    expect(reported.map((line) => line['untold_before']).filter(Boolean)).toEqual([9_980]);
  });
});
