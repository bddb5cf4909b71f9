import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { TestRepository } from '#test/support/git-repository';

import type { Ledger } from './ledger.js';

const SOURCES = 12;
const FILES = 40;
const MAX_PAUSE_MS = 1_000;

/** A tenant with several sources that change now and then, some of them at once. */
export class BusyTenant {
  /** Things that must not happen and did. */
  readonly broken: string[] = [];
  private readonly repositories: { readonly repository: TestRepository; readonly id: string }[] =
    [];

  constructor(
    private readonly ledger: Ledger,
    private readonly folder: string,
    private readonly random: () => number,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.step().catch((error: unknown) =>
        this.broken.push(`the busy tenant: ${String(error)}`),
      );
      await delay(this.random() * MAX_PAUSE_MS);
    }
  }

  private async step(): Promise<void> {
    const number = this.repositories.length;
    if (number < SOURCES && this.random() < 0.3) {
      const files = Object.fromEntries(
        Array.from({ length: FILES }, (_, at) => [`f${at}.ts`, this.text(at)]),
      );
      const repository = TestRepository.create(join(this.folder, `busy-${number}`), files);
      const id = await this.ledger.register(`busy ${number}`, repository.url);
      this.repositories.push({ repository, id });
      await this.ledger.sync(id);
      return;
    }
    const chosen = this.repositories[Math.floor(this.random() * number)];
    if (!chosen) return;
    chosen.repository.commit({ [`f${Math.floor(this.random() * FILES)}.ts`]: this.text(number) });
    await this.ledger.syncUnlessUnderWay(chosen.id);
    await this.ledger.client.patiently('POST', '/search', { query: 'which value is exported' });
  }

  private text(at: number): string {
    return `/** The value number ${at}. */\nexport const value${at} = ${Math.floor(this.random() * 1e9)};\n`;
  }
}
