import type { KeyRing } from '#platform';

/** Keys checked per run: each check asks an engine. */
const KEYS_PER_RUN = 500;

/**
 * Names of keys that the log reports as destroyed: of tenants, people and conversations. All are
 * checked once after every start, since an older key ring may have been put back.
 */
export class ErasedKeys {
  /** All names, as the key ring uses them. */
  readonly names = new Set<string>();
  private readonly unchecked = new Set<string>();

  constructor(private readonly keyRing: KeyRing) {}

  add(name: string): void {
    this.names.add(name);
    this.unchecked.add(name);
  }

  /** Destroys the keys that exist again, a bounded number per call. */
  async destroyAgain(): Promise<void> {
    let left = KEYS_PER_RUN;
    for (const name of this.unchecked) {
      if ((left -= 1) < 0) return;
      if ((await this.keyRing.standing(name)) !== 'destroyed') await this.keyRing.destroy(name);
      this.unchecked.delete(name);
    }
  }

  clear(): void {
    this.names.clear();
    this.unchecked.clear();
  }
}
