import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import {
  defineEvent,
  EVENT_DEFINITIONS,
  type JsonObject,
  type Position,
  type RecordedEvent,
} from '#contracts';
import { isUnreadableEvent, upcast } from '#event-store';
import { PROJECT_ROOT } from '#test/support/project-root';
import { sampleMetadata } from '#test/support/sample-events';

import type { DefinitionLookup } from './upcast.js';

const FIXTURES = join(PROJECT_ROOT, 'test/fixtures/events');

describe('stored events of every version', () => {
  const wanted = EVENT_DEFINITIONS.flatMap(({ type, version }) =>
    Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`),
  );

  it('have a fixture each, and no fixture has an unknown type or version', () => {
    expect(readdirSync(FIXTURES).toSorted()).toEqual(wanted.toSorted());
  });

  it.each(wanted)('%s is read at the current version, with no field lost', (name) => {
    const [type = '', version] = name.replace('.json', '').split('.v');
    const data = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as JsonObject;
    const read = upcast(recorded(type, Number(version), data));
    expect(read.kind).toBe('known');
    const current = EVENT_DEFINITIONS.find((definition) => definition.type === type)?.version;
    expect(read.event.metadata.schema_version).toBe(current);
    if (Number(version) === current) expect(read.event.data).toEqual(data);
  });
});

describe('the audience of a stored source', () => {
  const registered = (audience?: unknown) => {
    const data = JSON.parse(
      readFileSync(join(FIXTURES, 'SourceRegistered.v1.json'), 'utf8'),
    ) as JsonObject;
    return recorded('SourceRegistered', 1, audience === undefined ? data : { ...data, audience });
  };

  it.each([
    [{ kind: 'tenant' }],
    [{ kind: 'linked' }],
    [{ kind: 'system' }],
    [{ kind: 'conversation', conversation_id: 'c1' }],
    [{ kind: 'research', repository: 'team/app', commit: 'c0ffee' }],
  ])('is read as it was recorded: %j', (audience) => {
    expect(upcast(registered(audience)).event.data['audience' as never]).toEqual(audience);
    expect('audience' in upcast(registered()).event.data).toBe(false);
  });

  it.each([[{ kind: 'everybody' }], [{ kind: 'conversation' }], [{}], ['tenant'], [null]])(
    'is never taken for its tenant if it is unknown: %j',
    (audience) => {
      expect(isUnreadableEvent(thrown(() => upcast(registered(audience))))).toBe(true);
    },
  );
});

describe('upcast', () => {
  const renamed = defineEvent(
    'Renamed',
    3,
    z.object({ title: z.string(), tags: z.array(z.string()) }),
    {
      from: {
        1: ({ name, ...rest }) => ({ ...rest, title: name }),
        2: (data) => ({ tags: [], ...data }),
      },
    },
  );
  const definitions: DefinitionLookup = (type) => (type === 'Renamed' ? renamed : undefined);

  it.each<[number, JsonObject, JsonObject]>([
    [1, { name: 'a' }, { title: 'a', tags: [] }],
    [2, { title: 'b' }, { title: 'b', tags: [] }],
    [3, { title: 'c', tags: ['x'] }, { title: 'c', tags: ['x'] }],
  ])('converts version %d step by step', (version, stored, current) => {
    const read = upcast(recorded('Renamed', version, stored), definitions);
    expect(read).toMatchObject({
      kind: 'known',
      event: { data: current, metadata: { schema_version: 3 } },
    });
  });

  it('leaves everything but data and version as it was recorded', () => {
    const stored = recorded('Renamed', 1, { name: 'a' });
    const { event } = upcast(stored, definitions);
    expect({ ...event, data: stored.data, metadata: stored.metadata }).toEqual(stored);
    expect(stored).toEqual(recorded('Renamed', 1, { name: 'a' }));
  });

  it('ignores fields that a newer writer added', () => {
    const read = upcast(
      recorded('Renamed', 3, { title: 'c', tags: [], colour: 'red' }),
      definitions,
    );
    expect(read.event.data).toEqual({ title: 'c', tags: [] });
  });

  it('passes an unknown type through, marked', () => {
    const stored = recorded('FromTheFuture', 1, { anything: true });
    expect(upcast(stored, definitions)).toEqual({ kind: 'unknown', event: stored });
  });

  it.each<[string, number, JsonObject]>([
    ['a newer version of a known type', 4, { title: 'd', tags: [] }],
    ['data that does not match its schema', 3, { title: 7, tags: [] }],
    ['a version that never was', 0, { title: 'd', tags: [] }],
  ])('rejects %s with type, version, stream and revision', (_, version, data) => {
    const error = thrown(() => upcast(recorded('Renamed', version, data), definitions));
    expect(isUnreadableEvent(error)).toBe(true);
    expect(error).toMatchObject({ type: 'Renamed', version, stream: 'thing-1', revision: 5n });
    expect(String(error)).toContain(`Renamed version ${version} at thing-1 revision 5`);
  });

  it('keeps stored values out of its message', () => {
    const error = thrown(() =>
      upcast(recorded('Renamed', 3, { title: 'x', tags: ['x', { secret: 1 }] }), definitions),
    );
    expect(String(error)).toContain('tags.1');
    expect(String(error)).not.toContain('secret');
  });
});

function recorded(type: string, version: number, data: JsonObject): RecordedEvent {
  return {
    id: '0190b5e4-7b1d-7000-8000-000000000009',
    type,
    data,
    metadata: sampleMetadata(type, { schema_version: version }),
    stream: 'thing-1',
    revision: 5n,
    position: '00000000000000000042' as Position,
    recordedAt: new Date('2026-01-02T03:04:05.678Z'),
  };
}

function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}
