import { cp } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent, StreamName } from '#contracts';
import type { EventStore } from '#event-store';
import { conversationKeys, FsKeyRing, personKeys, uuidv7 } from '#platform';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { PipelineHarness } from '#test/support/pipeline-harness';
import { readLog } from '#test/support/read-log';
import { proposed } from '#test/support/sample-events';
import { commandTenant, erasedTenant, requestErasure } from '#test/support/tenant-erasure';

/** Everything that was written so far is settled by then. */
const LATER = () => new Date(Date.now() + 3_600_000);
const [ERASED, OTHER] = [
  '0190b5e4-7b1d-7000-8000-00000000000a',
  '0190b5e4-7b1d-7000-8000-00000000000b',
];

describe('the erasure of a person', () => {
  let harness: PipelineHarness;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    for (const tenant_id of [ERASED, OTHER])
      await commandTenant(harness, tenant_id, {
        type: 'CreateTenant',
        data: { tenant_id, name: 'T' },
      });
  });
  afterEach(() => harness.close());

  const NAME = 'a'.repeat(64);
  /** Registers a person with a key. */
  const register = async (tenant: string, user_id: string) => {
    const sealed = await harness.keyRing.seal(personKeys(user_id), 'address', 'ada@example.com');
    const person = {
      user_id,
      tenant_id: tenant,
      fingerprints: [NAME],
      address: sealed,
      display_name: null,
    };
    const by = { tenant_id: tenant };
    const events: [StreamName, DomainEvent][] = [
      [`address-${NAME}`, { type: 'AddressReserved', data: { user_id } }],
      [
        `user-${user_id}`,
        { type: 'UserRegistered', data: { ...person, password: null, role: 'member' } },
      ],
      [`members-${tenant}`, { type: 'MemberJoined', data: { user_id, role: 'member' } }],
    ];
    for (const [stream, event] of events)
      await harness.store.append(stream, [proposed(event, by)], 'any');
    return sealed;
  };
  const gone = (user: string) =>
    harness.until(async () => {
      const closed = (await harness.types(`user-${user}`)).at(-1) === 'UserClosed';
      const free = (await harness.types(`address-${NAME}`)).at(-1) === 'AddressReleased';
      return (
        (closed && free && (await harness.keyRing.standing(personKeys(user))) === 'destroyed') ||
        null
      );
    }, `${user} to be erased`);

  it('is finished where the process died that began it, and done again where an older key ring is put back', async () => {
    const [user, stays] = [uuidv7(), uuidv7()];
    const sealed = await register(OTHER, user);
    await harness.keyRing.seal(personKeys(stays), 'c', 'kept');
    const keys = `${harness.directory.path}/keys`;
    await cp(keys, `${keys}-before`, { recursive: true });
    await harness.start();
    const left = proposed({ type: 'MemberRemoved', data: { user_id: user } }, { tenant_id: OTHER });
    await harness.store.append(`members-${OTHER}`, [left], 'any');
    await gone(user);
    expect(await harness.keyRing.open(personKeys(user), 'address', sealed)).toBeNull();
    await harness.pipeline?.stop();

    const older = await FsKeyRing.open(`${keys}-before`);
    await harness.start({ keyRing: older });
    await harness.until(
      async () => (await older.standing(personKeys(user))) === 'destroyed' || null,
      'the key to go again',
    );
    expect(await older.standing(personKeys(stays))).toBe('present');
    expect(await harness.types(`user-${user}`)).toEqual(['UserRegistered', 'UserClosed']);
  });

  describe('with conversations', () => {
    /**
     * A conversation with a PDF, as the API makes one. @returns its id, and what is to be seen of
     * its document.
     */
    const conversationOf = async (user_id: string, words: string) => {
      const [conversation_id, document_id] = [uuidv7(), uuidv7()];
      const stream = `conversation-${conversation_id}` as const;
      const key = await harness.keyRing.seal(conversationKeys(conversation_id), 'key', 'data key');
      const bytes = writePdf([linesAt(72, 160, [words])]);
      const blob = await harness.blobs.put(bytes);
      const started = { conversation_id, user_id, key, title: null };
      for (const event of [
        { type: 'ConversationStarted', data: started },
        { type: 'ConversationDocumentAdded', data: { conversation_id, document_id } },
      ] as const)
        await harness.store.append(stream, [proposed(event, { tenant_id: OTHER })], 'any');
      const register = async () => {
        const upload = { blob, file_name: 'a.pdf', bytes: bytes.length };
        const definition = { url: 'a.pdf', include_patterns: [], exclude_patterns: [], upload };
        const data = {
          source_id: document_id,
          name: 'A',
          definition: { source_type: 'pdf', ...definition } as const,
          audience: { kind: 'conversation', conversation_id } as const,
        };
        await harness.commandSource(OTHER, document_id, { type: 'RegisterSource', data });
        const job = await harness.sync(OTHER, document_id);
        if (job.status !== 'completed') throw new Error(`The sync ended as ${job.status}`);
      };
      return { conversation_id, document_id, stream, blob, register };
    };
    type Made = Awaited<ReturnType<typeof conversationOf>>;
    const isThere = async ({ document_id, stream, conversation_id, blob }: Made) => [
      (await harness.types(stream)).includes('ConversationDeleted'),
      (await harness.types(`source-${document_id}`)).includes('SourceRemoved'),
      (await harness.index.state(OTHER, document_id, 1)) !== null,
      await harness.keyRing.standing(conversationKeys(conversation_id)),
      await harness.blobs.has(blob),
    ];
    const GONE = [true, true, false, 'destroyed', false];
    const leave = (user_id: string) => {
      const event = proposed({ type: 'MemberRemoved', data: { user_id } }, { tenant_id: OTHER });
      return harness.store.append(`members-${OTHER}`, [event], 'any');
    };
    const untilGone = (made: Made) =>
      harness.until(async () => {
        await harness.pipeline?.collect();
        return JSON.stringify(await isThere(made)) === JSON.stringify(GONE) || null;
      }, 'the conversation with its document to go');
    const IN_TWO_DAYS = () => new Date(Date.now() + 48 * 3_600_000);

    it('takes them from index, store and quota, after any kill, and leaves those of others', async () => {
      const [user, stays] = [uuidv7(), uuidv7()];
      await register(OTHER, user);
      await harness.start({ now: IN_TWO_DAYS });
      const [left, kept] = [
        await conversationOf(user, 'Quinces.'),
        await conversationOf(stays, 'Medlars.'),
      ];
      for (const { register: upload } of [left, kept]) await upload();
      await harness.pipeline?.stop();
      await leave(user);
      // Each life of the process ends at its next effect, as by a kill.
      for (let lives = 0; ; lives += 1) {
        if (lives > 20) throw new Error('It did not come to an end');
        let room = lives;
        const dead = Promise.withResolvers<'dead'>();
        const spend = async <T>(work: () => Promise<T>): Promise<T> => {
          if (room <= 0) dead.resolve('dead');
          if (room <= 0) return new Promise<T>(() => undefined);
          room -= 1;
          return work();
        };
        const keyRing = Object.create(harness.keyRing, {
          destroy: { value: (id: string) => spend(() => harness.keyRing.destroy(id)) },
        }) as FsKeyRing;
        const wrapStore = (store: EventStore) =>
          Object.create(store, {
            append: {
              value: (...given: Parameters<EventStore['append']>) =>
                spend(() => store.append(...given)),
            },
          }) as EventStore;
        await harness.start({ now: IN_TWO_DAYS, keyRing, wrapStore });
        const outcome = await Promise.race([
          untilGone(left).then(() => 'gone' as const),
          dead.promise,
        ]);
        await Promise.race([
          harness.pipeline?.stop(),
          new Promise((resolve) => setTimeout(resolve, 100)),
        ]);
        if (outcome === 'dead') continue;
        expect(lives).toBeGreaterThan(3);
        break;
      }
      expect(await isThere(kept)).toEqual([false, false, true, 'present', true]);
      for (const type of [
        'ConversationDeleted',
        'SourceRemoved',
        'GenerationDropped',
        'UserClosed',
      ])
        expect((await readLog(harness.store)).filter((event) => event.type === type)).toHaveLength(
          1,
        );
    });

    it('removes what was still being uploaded when its conversation was deleted', async () => {
      await harness.start({ now: IN_TWO_DAYS });
      const late = await conversationOf(uuidv7(), 'Quinces.');
      const { conversation_id, document_id, stream } = late;
      const data = { conversation_id, document_ids: [document_id] };
      await harness.store.append(
        stream,
        [proposed({ type: 'ConversationDeleted', data }, { tenant_id: OTHER })],
        'any',
      );
      // Its sync may be cancelled before it has begun.
      await late.register().catch(() => undefined);
      await untilGone(late);
    });
  });

  it('goes with the tenant, and frees the address', async () => {
    const user = uuidv7();
    await register(ERASED, user);
    await harness.start({ now: LATER });
    await requestErasure(harness, ERASED);
    expect(await erasedTenant(harness, ERASED)).toMatchObject({ people: 1 });
    await gone(user);
  });
});
