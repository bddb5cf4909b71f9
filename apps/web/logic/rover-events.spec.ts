import { describe, expect, it } from '@jest/globals';

import type { RoverJobView, RoverStepView } from '#contracts/http/index';

import { withoutCitationList } from './answer-text.js';
import { counted } from './counted.js';
import { EventStreamReader } from './event-stream.js';
import { applyRoverEvent } from './rover-events.js';

const STEP: RoverStepView = {
  id: 's1',
  kind: 'read',
  title: 'Read harbor/client',
  status: 'running',
  started_at: '2026-01-01T00:00:00.000Z',
  completed_at: null,
  detail: null,
};
const JOB = { id: 'j', status: 'pending', progress_percent: 0, steps: [], answer: null };

/** Returns the job after the events of a stream that arrives in pieces of this length. */
function jobAfter(stream: string, length: number): RoverJobView {
  const reader = new EventStreamReader();
  let job = JOB as unknown as RoverJobView;
  for (let at = 0; at < stream.length; at += length) {
    for (const event of reader.push(stream.slice(at, at + length))) {
      job = applyRoverEvent(job, event);
    }
  }
  return job;
}

describe('events of a research job', () => {
  const event = (name: string, data: object) =>
    `event: ${name}\nid: 7\ndata: ${JSON.stringify(data)}\n\n`;

  it.each([1, 7, 10_000])('build the job from pieces of %i characters', (length) => {
    const stream = [
      ': open\n\n',
      event('status', { status: 'running', progress_percent: 20 }),
      event('step', STEP),
      event('step', { ...STEP, status: 'completed' }),
      event('token', { token: 'Eight ' }),
      event('token', { token: 'retries' }),
    ].join('');
    expect(jobAfter(stream, length)).toMatchObject({
      status: 'running',
      progress_percent: 20,
      steps: [{ id: 's1', status: 'completed' }],
      answer: 'Eight retries',
    });
  });

  it('are replaced by the whole job at the end', () => {
    const done = { ...JOB, status: 'completed', answer: 'Eight' };
    expect(jobAfter(event('token', { token: 'x' }) + event('done', done), 50)).toEqual(done);
  });

  it('carry the id to resume after', () => {
    expect(new EventStreamReader().push(event('token', {}))).toEqual([
      { event: 'token', data: '{}', id: '7' },
    ]);
  });
});

describe('the answer of research', () => {
  it('is shown without its list of citations', () => {
    expect(withoutCitationList('## a/b\n\nText [1]\n\n## Citations\n\n1. `a`\n')).toBe(
      '## a/b\n\nText [1]\n\n',
    );
  });

  it('keeps a quoted heading', () => {
    const text = 'The heading is `## Citations\n\n1. `';
    expect(withoutCitationList(text)).toBe(text);
  });
});

it('counts nouns', () => {
  expect([counted(0, 'file'), counted(1, 'file'), counted(1200, 'file')]).toEqual([
    '0 files',
    '1 file',
    '1,200 files',
  ]);
});
