import { Injectable } from '@nestjs/common';
import type { Options } from '@node-rs/argon2';

import { FootnoteError } from '#contracts';
import { Semaphore } from '#platform';

import { isCommonPassword } from './common-passwords.js';

/** Loaded by the first password: it is a native addon. */
const loadArgon2 = () => import('@node-rs/argon2');

/**
 * argon2id (the library's default) with the first of OWASP's recommended settings that is bounded
 * by memory: 19 MiB, two passes.
 */
const ARGON2: Options = Object.freeze({
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
});
/** Hashes at once in a process: they run in libuv's four threads, of which files need some. */
const AT_ONCE = 2;
/** Beyond so many that wait, more are refused. */
const MAX_WAITING = 100;

/** Hashes and verifies passwords, off the event loop and a few at once. */
@Injectable()
export class Passwords {
  private readonly places = new Semaphore(AT_ONCE);
  private inside = 0;
  private decoy: Promise<string> | undefined;

  /** @throws FootnoteError `rate_limited` when too many wait. */
  hash(password: string): Promise<string> {
    return this.run(async () => (await loadArgon2()).hash(normalized(password), ARGON2));
  }

  /**
   * Returns whether the password is the one of the hash. Without a hash it is not, and the answer
   * takes as long.
   *
   * @throws FootnoteError `rate_limited` when too many wait.
   */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const { hash, verify } = await loadArgon2();
    this.decoy ??= hash('nobody has this password', ARGON2);
    const against = stored ?? (await this.decoy);
    const fits = await this.run(() => verify(against, normalized(password)));
    return stored !== null && fits;
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside >= AT_ONCE + MAX_WAITING) {
      throw new FootnoteError('rate_limited', 'Too many passwords are being checked', {
        retryAfter: 2,
      });
    }
    this.inside += 1;
    try {
      return await this.places.run(work);
    } finally {
      this.inside -= 1;
    }
  }
}

/**
 * @throws FootnoteError `password_too_common` for a password that is among the first that anybody
 * would try.
 */
export async function refuseCommon(
  field: string,
  password: string,
  known: readonly string[],
): Promise<void> {
  if (!(await isCommonPassword(normalized(password), known))) return;
  const message = 'must not be a password that is often used, nor made of your own address';
  throw new FootnoteError('password_too_common', 'Password must not be a common password', {
    details: [{ field, message }],
  });
}

/** The same characters, however a keyboard composes them, are the same password. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
