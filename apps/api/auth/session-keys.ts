import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

import { type Config, ConfigError, replaceFile, unlessMissing } from '#platform';

import { CONFIG } from '../engines/engines.js';

const FILE = 'jwt-secret';

/**
 * The secrets that sign sessions: the operator's, or one that is made in the data folder on first
 * use. The first signs; all are accepted. Without the file everybody signs in again, and nothing
 * else is lost: it is in no backup.
 */
@Injectable()
export class SessionKeys implements OnModuleInit {
  private made: Promise<readonly Uint8Array[]> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'people' | 'engines' | 'dataDir'>,
  ) {}

  /** @throws ConfigError where several processes could not believe each other's sessions. */
  onModuleInit(): void {
    const isShared = Object.values(this.config.engines).every((engine) => engine !== undefined);
    if (isShared && this.config.people.jwtSecrets.length === 0) {
      throw new ConfigError(
        'JWT_SECRET is unset, but where all engines are servers every API process needs the same one.',
      );
    }
  }

  all(): Promise<readonly Uint8Array[]> {
    this.made ??= this.load().catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  async newest(): Promise<Uint8Array> {
    const [first] = await this.all();
    if (!first) throw new Error('There is no secret to sign with');
    return first;
  }

  private async load(): Promise<readonly Uint8Array[]> {
    const { people, dataDir } = this.config;
    if (people.jwtSecrets.length > 0) return people.jwtSecrets.map((secret) => Buffer.from(secret));
    const path = join(dataDir, FILE);
    const found = await unlessMissing(readFile(path));
    if (found) return [found];
    const secret = Buffer.from(randomBytes(48).toString('base64url'));
    await mkdir(dataDir, { recursive: true });
    await replaceFile(path, secret);
    return [secret];
  }
}

/**
 * A key for one purpose out of a secret, so that what signs one thing proves nothing of another.
 */
export function derivedKey(secret: Uint8Array, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`footnote ${purpose}`).digest();
}
