import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceScratchFile } from '#platform';

const NAME = 'specification.refused';

interface Refusal {
  /** Hash of the rejected specification. */
  readonly bodyHash: string;
  /** See `FetchRequest`: another version may be able to read the same bytes. */
  readonly recipe: string;
  readonly problem: string;
}

/**
 * The specification that last took too much time or memory, in the scratch folder of its source.
 * The same bytes are rejected without another reading: a schedule would otherwise spend that much
 * at each interval. Losing the record costs one such reading.
 */
export class RefusalStore {
  constructor(
    private readonly directory: string,
    private readonly recipe: string,
  ) {}

  /**
   * Returns why the specification was rejected; undefined if it was not, or if that cannot be
   * known.
   */
  async problemOf(bodyHash: string): Promise<string | undefined> {
    const text = await readFile(join(this.directory, NAME), 'utf8').catch(() => undefined);
    const refusal = text === undefined ? undefined : parsed(text);
    return refusal?.bodyHash === bodyHash && refusal.recipe === this.recipe
      ? refusal.problem
      : undefined;
  }

  async write(bodyHash: string, problem: string): Promise<void> {
    const refusal: Refusal = { bodyHash, recipe: this.recipe, problem };
    await mkdir(this.directory, { recursive: true });
    await replaceScratchFile(join(this.directory, NAME), Buffer.from(JSON.stringify(refusal)));
  }
}

/** Parses a record. A damaged file counts as missing: it costs one reading. */
function parsed(text: string): Refusal | undefined {
  try {
    const { bodyHash, recipe, problem } = JSON.parse(text) as Partial<Refusal>;
    return typeof bodyHash === 'string' && typeof recipe === 'string' && typeof problem === 'string'
      ? { bodyHash, recipe, problem }
      : undefined;
  } catch {
    return undefined;
  }
}
