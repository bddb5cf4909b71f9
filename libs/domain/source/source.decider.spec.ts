import { describe, expect, it } from '@jest/globals';

import {
  type Audience,
  type ScipUpload,
  type SourceDefinition,
  type SourceEvent,
  TENANT_AUDIENCE,
} from '#contracts';
import { specify } from '#test/support/decider-spec';

import { jobDecider } from '../job/job.decider.js';
import { openJob } from '../job/open-job.js';
import { sourceDecider } from './source.decider.js';

const definition: SourceDefinition = {
  source_type: 'repo',
  url: 'https://example.com/a.git',
  branch: 'main',
  include_patterns: [],
  exclude_patterns: ['*.md'],
};
const registered = {
  type: 'SourceRegistered',
  data: { source_id: 's1', name: 'A', definition },
} as const;
const synced: SourceEvent = {
  type: 'SourceSyncRequested',
  data: { source_id: 's1', job_id: 'j1' },
};
const removed: SourceEvent = { type: 'SourceRemoved', data: { source_id: 's1' } };
const { given } = specify(sourceDecider);

describe('source', () => {
  it('is registered once', () => {
    given()
      .when({ type: 'RegisterSource', data: { source_id: 's1', name: 'A', definition } })
      .then(registered);
    given(registered)
      .when({ type: 'RegisterSource', data: { source_id: 's1', name: 'B', definition } })
      .thenNothingHappened();
  });

  it.each<[Audience | undefined, Audience]>([
    [undefined, TENANT_AUDIENCE],
    [{ kind: 'tenant' }, TENANT_AUDIENCE],
    [{ kind: 'system' }, { kind: 'system' }],
    [
      { kind: 'conversation', conversation_id: 'c1' },
      { kind: 'conversation', conversation_id: 'c1' },
    ],
  ])(
    'keeps the audience of its registration, %j, through every change, and passes it to its jobs',
    (stated, kept) => {
      const data = {
        source_id: 's1',
        name: 'A',
        definition,
        ...(stated ? { audience: stated } : {}),
      };
      const events = sourceDecider.decide({ type: 'RegisterSource', data }, sourceDecider.initial);
      expect(events).toEqual([{ type: 'SourceRegistered', data }]);
      const renamed: SourceEvent = { type: 'SourceUpdated', data: { source_id: 's1', name: 'B' } };
      const source = [...events, renamed, synced].reduce(
        (state, event, index) => sourceDecider.evolve(state, event, BigInt(index)),
        sourceDecider.initial,
      );
      if (source.status !== 'registered') throw new Error(source.status);
      expect(source.audience).toEqual(kept);
      const { data: job } = openJob({
        source,
        shownUrl: source.definition.url,
        lastJob: jobDecider.initial,
        maxRetries: 3,
      });
      expect(job.audience ?? TENANT_AUDIENCE).toEqual(kept);
      expect('audience' in job).toBe(kept.kind !== 'tenant');
    },
  );

  it('accepts 16 MiB of definitions in all, and any other change after them', () => {
    const large = (index: number): SourceEvent => ({
      type: 'SourceUpdated',
      data: {
        source_id: 's1',
        definition: { ...definition, branch: `${index}${'x'.repeat(65_000)}` },
      },
    });
    const full = [registered, ...Array.from({ length: 257 }, (_, index) => large(index))];
    given(...full)
      .when({
        type: 'UpdateSource',
        data: { definition: { ...definition, branch: 'y'.repeat(65_000) } },
      })
      .thenRefused('source_history_full');
    given(...full)
      .when({ type: 'UpdateSource', data: { name: 'B' } })
      .then({ type: 'SourceUpdated', data: { source_id: 's1', name: 'B' } });
    const next = { ...definition, branch: 'next' };
    given(...full.slice(0, 250))
      .when({ type: 'UpdateSource', data: { definition: next } })
      .then({ type: 'SourceUpdated', data: { source_id: 's1', definition: next } });
  });

  it('records only the fields that an update changes', () => {
    given(registered)
      .when({ type: 'UpdateSource', data: { name: 'B', definition: { ...definition } } })
      .then({ type: 'SourceUpdated', data: { source_id: 's1', name: 'B' } });
    const narrower = { ...definition, include_patterns: ['src/**'] };
    given(registered)
      .when({ type: 'UpdateSource', data: { name: 'A', definition: narrower } })
      .then({ type: 'SourceUpdated', data: { source_id: 's1', definition: narrower } });
  });

  it('records nothing for an update that changes nothing', () => {
    given(registered)
      .when({ type: 'UpdateSource', data: { name: 'A', definition: structuredClone(definition) } })
      .thenNothingHappened();
  });

  it('stores credentials, passes them to the jobs that it opens, and removes them on request', () => {
    const sealed = { ...registered.data, credentials: 'sealed-1' } as const;
    given()
      .when({ type: 'RegisterSource', data: sealed })
      .then({ type: 'SourceRegistered', data: sealed });
    const withThem: SourceEvent = {
      type: 'SourceUpdated',
      data: { source_id: 's1', credentials: 'sealed-2' },
    };
    given(registered)
      .when({ type: 'UpdateSource', data: { credentials: 'sealed-2' } })
      .then(withThem);
    const without: SourceEvent = {
      type: 'SourceUpdated',
      data: { source_id: 's1', credentials: null },
    };
    given(registered, withThem)
      .when({ type: 'UpdateSource', data: { credentials: null } })
      .then(without);
    given(registered)
      .when({ type: 'UpdateSource', data: { credentials: null } })
      .thenNothingHappened();
    const renamed: SourceEvent = { type: 'SourceUpdated', data: { source_id: 's1', name: 'B' } };
    const jobAfter = (...events: SourceEvent[]) => {
      const source = events.reduce(
        (state, event, index) => sourceDecider.evolve(state, event, BigInt(index)),
        sourceDecider.initial,
      );
      if (source.status === 'absent') throw new Error(source.status);
      return openJob({
        source,
        shownUrl: source.definition.url,
        lastJob: jobDecider.initial,
        maxRetries: 3,
      }).data;
    };
    expect(jobAfter(registered, renamed, synced)).toMatchObject({
      url: definition.url,
      source_revision: 0,
    });
    expect(jobAfter(registered, withThem, renamed, synced)).toMatchObject({ source_revision: 1 });
    expect(jobAfter(registered, withThem, without, synced)).toMatchObject({ source_revision: 2 });
    expect(Object.keys(jobAfter(registered, withThem, synced))).not.toContain('credentials');
  });

  it('accepts a sync, and the same one only once', () => {
    given(registered)
      .when({ type: 'RequestSync', data: { job_id: 'j1', last_job_open: false } })
      .then(synced);
    given(registered, synced)
      .when({ type: 'RequestSync', data: { job_id: 'j1', last_job_open: true } })
      .thenNothingHappened();
  });

  it('rejects a sync while the last job is open, and accepts it afterwards', () => {
    given(registered, synced)
      .when({ type: 'RequestSync', data: { job_id: 'j2', last_job_open: true } })
      .thenRefused('sync_in_progress');
    given(registered, synced)
      .when({ type: 'RequestSync', data: { job_id: 'j2', last_job_open: false } })
      .then({ type: 'SourceSyncRequested', data: { source_id: 's1', job_id: 'j2' } });
  });

  it('starts a sync that is scheduled or queued, unless the source changed', () => {
    const timed: SourceEvent = {
      type: 'SourceUpdated',
      data: { source_id: 's1', sync_interval_seconds: 600 },
    };
    const off: SourceEvent = {
      type: 'SourceUpdated',
      data: { source_id: 's1', sync_interval_seconds: 0 },
    };
    const queued: SourceEvent = {
      type: 'SourceSyncQueued',
      data: { source_id: 's1', after_job_id: 'j1' },
    };
    const due = { type: 'StartDueSync', data: { job_id: 'j2', after_job_id: 'j1' } } as const;
    const next: SourceEvent = {
      type: 'SourceSyncRequested',
      data: { source_id: 's1', job_id: 'j2' },
    };
    given(registered, synced, timed).when(due).then(next);
    given(registered, synced, queued).when(due).then(next);
    given(registered, synced).when(due).thenNothingHappened();
    given(registered, synced, timed, off).when(due).thenNothingHappened();
    given(registered, timed).when(due).thenNothingHappened();
    given(registered, synced, queued, next).when(due).thenNothingHappened();
    given(registered, synced, timed, removed).when(due).thenNothingHappened();
    given(registered, synced, queued, next)
      .when({ type: 'StartDueSync', data: { job_id: 'j3', after_job_id: 'j2' } })
      .thenNothingHappened();
  });

  it('records each push that leads to a sync', () => {
    const queued: SourceEvent = {
      type: 'SourceSyncQueued',
      data: { source_id: 's1', after_job_id: 'j1' },
    };
    given(registered, synced).when({ type: 'QueueSync', data: {} }).then(queued);
    given(registered, synced, queued).when({ type: 'QueueSync', data: {} }).then(queued);
    given(registered, synced, removed)
      .when({ type: 'QueueSync', data: {} })
      .thenRefused('source_not_found');
  });

  it('has one hook at a time, which can be removed', () => {
    const hook = { hook_id: 'h1', secret: 'sealed' };
    const set: SourceEvent = { type: 'SourceHookSet', data: { source_id: 's1', ...hook } };
    const gone: SourceEvent = { type: 'SourceHookRemoved', data: { source_id: 's1' } };
    given(registered).when({ type: 'SetHook', data: hook }).then(set);
    expect(given(registered, set).thenState()).toMatchObject({ hook });
    expect(given(registered, set, gone).thenState()).toMatchObject({ hook: null });
    given(registered, set).when({ type: 'RemoveHook', data: {} }).then(gone);
    given(registered).when({ type: 'RemoveHook', data: {} }).thenNothingHappened();
    given(registered, removed)
      .when({ type: 'SetHook', data: hook })
      .thenRefused('source_not_found');
  });

  it('keeps the newest two uploads of each SCIP index, and at most 16 names', () => {
    const upload = (name: string, digit: string) => ({
      name,
      blob: digit.repeat(64),
      bytes: 10,
      version_ref: 'v1',
      generation: 1,
      documents: 1,
      occurrences: 1,
      symbols: 1,
    });
    const uploaded = (name: string, digit: string): SourceEvent => ({
      type: 'SourceScipUploaded',
      data: { source_id: 's1', scip: upload(name, digit) },
    });
    const [a, b, c] = [uploaded('ts', 'a'), uploaded('ts', 'b'), uploaded('ts', 'c')];
    given(registered)
      .when({ type: 'UploadScip', data: upload('ts', 'a') })
      .then(a);
    given(registered, a)
      .when({ type: 'UploadScip', data: upload('ts', 'a') })
      .thenNothingHappened();
    given(registered, a, b)
      .when({ type: 'UploadScip', data: upload('ts', 'a') })
      .then(a);
    expect(given(registered, a, uploaded('py', 'a'), b, c).thenState()).toMatchObject({
      scip: [upload('ts', 'c'), upload('ts', 'b'), upload('py', 'a')],
    });
    const names = Array.from({ length: 16 }, (_, at) => uploaded(`n${at}`, 'a'));
    given(registered, ...names)
      .when({ type: 'UploadScip', data: upload('n16', 'a') })
      .thenRefused('validation_failed');
    given(registered, ...names)
      .when({ type: 'UploadScip', data: upload('n15', 'b') })
      .then(uploaded('n15', 'b'));
    given(registered, removed)
      .when({ type: 'UploadScip', data: upload('ts', 'a') })
      .thenRefused('source_not_found');
  });

  it('removes all uploads of a SCIP index, or of all indexes', () => {
    const uploaded = (name: string, digit: string): SourceEvent => {
      const counts = { bytes: 10, documents: 1, occurrences: 1, symbols: 1 };
      const blob = digit.repeat(64);
      const scip = { name, blob, version_ref: 'v1', generation: 1, ...counts };
      return { type: 'SourceScipUploaded', data: { source_id: 's1', scip } };
    };
    const gone = (...names: string[]): SourceEvent => ({
      type: 'SourceScipRemoved',
      data: { source_id: 's1', names },
    });
    const remove = (name?: string) =>
      ({ type: 'RemoveScip', data: name === undefined ? {} : { name } }) as const;
    const history = [uploaded('ts', 'a'), uploaded('py', 'b'), uploaded('ts', 'c')];
    given(registered, ...history)
      .when(remove('ts'))
      .then(gone('ts'));
    given(registered, ...history)
      .when(remove())
      .then(gone('ts', 'py'));
    given(registered, ...history)
      .when(remove('go'))
      .thenNothingHappened();
    expect(given(registered, ...history, gone('ts')).thenState()).toMatchObject({
      scip: [{ name: 'py' }],
    });
    given(registered, ...history, gone('ts', 'py'))
      .when(remove())
      .thenNothingHappened();
    given(registered, ...history, gone('ts'))
      .when({ type: 'UploadScip', data: scipOf(uploaded('ts', 'c')) })
      .then(uploaded('ts', 'c'));
    given(registered, removed).when(remove()).thenRefused('source_not_found');
  });

  it('rejects every command once removed', () => {
    given(registered).when({ type: 'RemoveSource', data: {} }).then(removed);
    given(registered, removed)
      .when({ type: 'RemoveSource', data: {} })
      .thenRefused('source_not_found');
    given(registered, removed)
      .when({ type: 'UpdateSource', data: { name: 'B' } })
      .thenRefused('source_not_found');
    given(registered, removed)
      .when({ type: 'RequestSync', data: { job_id: 'j2', last_job_open: false } })
      .thenRefused('source_not_found');
  });

  it('does not exist before it is registered', () => {
    given()
      .when({ type: 'UpdateSource', data: { name: 'B' } })
      .thenRefused('source_not_found');
    given()
      .when({ type: 'RequestSync', data: { job_id: 'j', last_job_open: false } })
      .thenRefused('source_not_found');
  });

  it('keeps its last job after removal, so that the job can end', () => {
    expect(given(registered, synced, removed).thenState()).toMatchObject({
      status: 'removed',
      last_job_id: 'j1',
    });
  });
});

function scipOf(event: SourceEvent): ScipUpload {
  if (event.type !== 'SourceScipUploaded') throw new Error('An upload is required');
  return event.data.scip;
}
