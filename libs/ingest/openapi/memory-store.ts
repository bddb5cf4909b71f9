import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'specification.memory';

/** What the last reading of a specification left, in the scratch folder of its source: losing it costs one whole reading. */
export class MemoryStore {
  constructor(private readonly directory: string) {}

  async read(): Promise<Uint8Array | undefined> {
    return readFile(join(this.directory, NAME)).catch(() => undefined);
  }

  async write(memory: Uint8Array): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const draft = join(this.directory, `${NAME}.${randomUUID()}`);
    await writeFile(draft, memory);
    await rename(draft, join(this.directory, NAME));
  }
}
