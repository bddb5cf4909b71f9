import { randomBytes } from 'node:crypto';

import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';

import {
  type BoundToLog,
  type LogBinding,
  parseLogId,
} from '../../log-binding/log-binding.port.js';
import { type Logger, silentLogger } from '../../logging/logger.js';
import { onPostgres, openPostgresPool } from '../../postgres/postgres-pool.js';
import type { KeyRing, Sealed, TenantKeys } from '../key-ring.port.js';
import { keyObject, type KeySlot, openFrom, sealIn, standingOf } from '../key-slot.js';
import { decrypt, encrypt, masterKeyFingerprint } from '../sealing.js';
import { migrateKeyRing } from './migrate-key-ring.js';

export interface PostgresKeyRingOptions {
  /** `postgres://…` of the application's login. */
  readonly url: string;
  /** The owner's, for migrations. Default: the same. */
  readonly adminUrl?: string;
  /** 32 bytes that wrap the tenants' keys; the database never sees them. */
  readonly masterKey: Uint8Array;
  readonly logger?: Logger;
}

/**
 * Milliseconds that a key is used without checking whether it was destroyed, and the number of
 * cached keys.
 */
const FRESH_MS = 10_000;
const KEPT = 10_000;

/**
 * Opens the key ring in the schema `keyring` of a PostgreSQL database, for any number of processes.
 * @throws FootnoteError `engine_unavailable`; Error if the ring was created with another master key
 * or a login is rejected.
 */
export async function openPostgresKeyRing(
  options: PostgresKeyRingOptions,
): Promise<KeyRing & BoundToLog & { close(): Promise<void> }> {
  const { url, adminUrl = url, masterKey, logger = silentLogger } = options;
  if (masterKey.length !== 32) throw new Error('A master key must have 32 bytes');
  const admin = openPostgresPool({ url: adminUrl, name: 'footnote key ring', size: 1, logger });
  try {
    await onPostgres('The key ring', async () => {
      await migrateKeyRing(
        admin,
        adminUrl === url ? null : decodeURIComponent(new URL(url).username),
      );
      await checkFingerprint(admin, masterKeyFingerprint(masterKey));
    });
  } finally {
    await admin.end();
  }
  const pool = openPostgresPool({ url, name: 'footnote key ring', size: 4, logger });
  try {
    await onPostgres('The key ring', () => pool.query('select from keyring.data_keys limit 0'));
    return new PostgresKeyRing(pool, masterKey);
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * Keys as rows, wrapped by the master key: one per tenant, and one more for each restored ring. The
 * first process that seals for a tenant creates its key, and the others use it. A key that another
 * process destroyed is used here for ten seconds at most.
 */
class PostgresKeyRing implements KeyRing, BoundToLog {
  readonly logBinding: LogBinding = {
    boundTo: async () => {
      const [row] = await this.query<{ log_id: string }>(
        'select log_id from keyring.log_binding',
        [],
      );
      return row ? parseLogId(row.log_id, 'The key ring') : null;
    },
    bind: async (log) => {
      const upsert = 'on conflict (only_one) do update set log_id = excluded.log_id';
      await this.query(`insert into keyring.log_binding (log_id) values ($1) ${upsert}`, [log]);
    },
    isEmpty: async () =>
      (await this.query('select from keyring.data_keys limit 1', [])).length === 0,
  };
  private readonly slots = new LRUCache<string, Promise<KeySlot>>({ max: KEPT, ttl: FRESH_MS });

  constructor(
    private readonly pool: Pool,
    private readonly master: Uint8Array,
  ) {}

  async seal(tenantId: string, context: string, text: string): Promise<Sealed> {
    const slot = await this.slot(tenantId, true);
    return sealIn(slot, tenantId, context, text);
  }

  async open(tenantId: string, context: string, sealed: Sealed): Promise<string | null> {
    return openFrom(await this.slot(tenantId, false), context, sealed);
  }

  async standing(tenantId: string): Promise<TenantKeys> {
    return standingOf(await this.slot(tenantId, false));
  }

  async destroy(tenantId: string): Promise<void> {
    // A tenant without a key gets a destroyed row. A tenant whose lost keys are restored later has
    // further rows.
    await this.query(
      `with gone as (
         update keyring.data_keys set wrapped = null, destroyed_at = now()
         where tenant_id = $1 and wrapped is not null and key_id <> (select key_id from keyring.ring)
       )
       insert into keyring.data_keys (tenant_id, key_id, destroyed_at)
       select $1, key_id, now() from keyring.ring
       on conflict (tenant_id, key_id) do update set wrapped = null, destroyed_at = now()
       where data_keys.wrapped is not null`,
      [tenantId],
    );
    this.slots.set(tenantId, Promise.resolve('destroyed'));
  }

  async close(): Promise<void> {
    this.slots.clear();
    await this.pool.end();
  }

  private async slot(tenantId: string, create: boolean): Promise<KeySlot | null> {
    const known = this.slots.get(tenantId);
    if (known) return known;
    if (!create) {
      const loaded = await this.load(tenantId);
      if (loaded && !this.slots.has(tenantId)) this.slots.set(tenantId, Promise.resolve(loaded));
      return loaded;
    }
    const made = this.load(tenantId).then((slot) => slot ?? this.create(tenantId));
    this.slots.set(tenantId, made);
    made.catch(() => this.slots.delete(tenantId));
    return made;
  }

  private async load(tenantId: string): Promise<KeySlot | null> {
    const rows = await this.query<{ key_id: string; wrapped: Buffer | null }>(
      'select key_id, wrapped from keyring.data_keys where tenant_id = $1 order by key_id',
      [tenantId],
    );
    if (rows.some(({ wrapped }) => wrapped === null)) return 'destroyed';
    const keys = rows.flatMap(({ key_id, wrapped }) => {
      const key = wrapped && this.unwrap(tenantId, wrapped);
      return key ? [[key_id, keyObject(key)] as const] : [];
    });
    return keys.length > 0 ? new Map(keys) : null;
  }

  /**
   * Unwraps a key. A row that the master key does not unwrap contains no key of this ring;
   * `standing` reports if none is left.
   */
  private unwrap(tenantId: string, wrapped: Buffer): Buffer | null {
    try {
      return decrypt(this.master, tenantId, wrapped);
    } catch {
      return null;
    }
  }

  /**
   * Creates a tenant's first key. If several processes do so at once, one succeeds; all use the
   * stored one.
   */
  private async create(tenantId: string): Promise<KeySlot> {
    const wrapped = encrypt(this.master, tenantId, randomBytes(32));
    await this.query(
      `insert into keyring.data_keys (tenant_id, key_id, wrapped) select $1, key_id, $2 from keyring.ring
       on conflict (tenant_id, key_id) do nothing`,
      [tenantId, wrapped],
    );
    const stored = await this.load(tenantId);
    if (!stored) throw new Error(`The data key of tenant ${tenantId} was not stored`);
    return stored;
  }

  private async query<Row extends object>(
    sql: string,
    parameters: readonly unknown[],
  ): Promise<Row[]> {
    return onPostgres(
      'The key ring',
      async () => (await this.pool.query<Row>(sql, [...parameters])).rows,
    );
  }
}

async function checkFingerprint(pool: Pool, fingerprint: string): Promise<void> {
  await pool.query(
    'insert into keyring.master_key (fingerprint) values ($1) on conflict do nothing',
    [fingerprint],
  );
  const { rows } = await pool.query<{ fingerprint: string }>(
    'select fingerprint from keyring.master_key',
  );
  if (rows[0]?.fingerprint !== fingerprint) {
    throw new Error('MASTER_KEY is not the key that this key ring was made with');
  }
}
