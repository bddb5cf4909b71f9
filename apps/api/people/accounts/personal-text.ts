import { Inject, Injectable } from '@nestjs/common';

import { KEY_RING, type KeyRing, personKeys, type Sealed } from '#platform';

/** Placeholder of erased text. */
export const ERASED = '[erased]';

/** The subject of a personal text. */
export interface PersonOf {
  readonly tenantId: string;
  readonly userId: string;
}

/** Seals the log's texts about people: with the person's own key, and that with the tenant's. */
@Injectable()
export class PersonalText {
  constructor(@Inject(KEY_RING) private readonly keyRing: KeyRing) {}

  async seal({ tenantId, userId }: PersonOf, field: string, text: string): Promise<string> {
    const context = contextOf(userId, field);
    return this.keyRing.seal(
      tenantId,
      context,
      await this.keyRing.seal(personKeys(userId), context, text),
    );
  }

  /**
   * @returns null where either key is gone. @throws Error when the text was moved here or tampered
   * with.
   */
  async open(
    { tenantId, userId }: PersonOf,
    field: string,
    sealed: string,
  ): Promise<string | null> {
    const context = contextOf(userId, field);
    const inner = await this.keyRing.open(tenantId, context, sealed as Sealed);
    return inner === null ? null : this.keyRing.open(personKeys(userId), context, inner as Sealed);
  }
}

function contextOf(userId: string, field: string): string {
  return `user-${userId}/${field}`;
}
