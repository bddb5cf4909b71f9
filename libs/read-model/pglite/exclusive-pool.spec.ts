import { describe, expect, it } from '@jest/globals';

import { ExclusivePool, type Session, type SessionClient } from './exclusive-pool.js';

describe('a client of the one session', () => {
  function opened() {
    const sent: (readonly [sql: string, first: string | undefined])[] = [];
    const session: Session = {
      query: (sql, _parameters, first) => {
        sent.push([sql, first]);
        return Promise.resolve({ rows: [], rowCount: 0, command: '' });
      },
      close: () => Promise.resolve(),
    };
    const pool = new ExclusivePool(session);
    const lent = () =>
      new Promise<{ client: SessionClient; release: () => void }>((resolve, reject) =>
        pool.connect((error, client, release) =>
          client ? resolve({ client, release }) : reject(error ?? new Error('no client')),
        ),
      );
    return { sent, lent };
  }

  it('sends the start of a transaction with its first query', async () => {
    const { sent, lent } = opened();
    const { client } = await lent();
    for (const sql of ['start transaction read only', 'select 1', 'select 2', 'commit'])
      await client.query(sql);
    expect(sent).toEqual([
      ['select 1', 'start transaction read only'],
      ['select 2', undefined],
      ['commit', undefined],
    ]);
  });

  it('never leaves a held start to the next client', async () => {
    const { sent, lent } = opened();
    const { client, release } = await lent();
    await client.query('start transaction');
    release();
    const next = await lent();
    await next.client.query('select 1');
    expect(sent).toEqual([['select 1', undefined]]);
    await expect(client.query('select 2')).rejects.toThrow('on a released session');
  });
});
