import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readJsonObject } from './read-json-object.js';
import { UsageError } from './usage-error.js';

/** The services that the command line knows. Keys are in another file. */
interface Contexts {
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, { readonly url: string }>>;
}

/** A service by name. */
export interface Context {
  readonly name: string;
  readonly url: string;
  readonly current: boolean;
}

const OWNER_ONLY = 0o600;
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Contexts and keys in the folder of the person: each file is replaced in one step. */
export class ContextStore {
  constructor(private readonly folder: string) {}

  async list(): Promise<readonly Context[]> {
    const { current, contexts } = await this.contexts();
    return Object.entries(contexts).map(([name, { url }]) => ({
      name,
      url,
      current: name === current,
    }));
  }

  async current(): Promise<Context | undefined> {
    return (await this.list()).find(({ current }) => current);
  }

  async keyOf(name: string): Promise<string | undefined> {
    return (await this.keys())[name];
  }

  /** Stores a context with its key, and makes it the current one. */
  async save(name: string, url: string, key: string): Promise<void> {
    if (!NAME.test(name)) {
      throw new UsageError('A context name has lower-case letters, digits, dots and dashes');
    }
    const { contexts } = await this.contexts();
    await this.write('credentials.json', { ...(await this.keys()), [name]: key });
    await this.write('contexts.json', {
      current: name,
      contexts: { ...contexts, [name]: { url } },
    });
  }

  /** @throws UsageError for an unknown name. */
  async use(name: string): Promise<void> {
    const { contexts } = await this.contexts();
    requireKnown(name, contexts);
    await this.write('contexts.json', { current: name, contexts });
  }

  /** Removes a context and its key. @throws UsageError for an unknown name. */
  async remove(name: string): Promise<void> {
    const { current, contexts } = await this.contexts();
    requireKnown(name, contexts);
    const without = <Value>(all: Readonly<Record<string, Value>>) =>
      Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
    await this.write('credentials.json', without(await this.keys()));
    await this.write('contexts.json', {
      current: current === name ? null : current,
      contexts: without(contexts),
    });
  }

  private async contexts(): Promise<Contexts> {
    const { current, contexts } = (await this.read('contexts.json')) as Partial<Contexts>;
    return { current: current ?? null, contexts: contexts ?? {} };
  }

  private async keys(): Promise<Readonly<Record<string, string>>> {
    return (await this.read('credentials.json')) as Readonly<Record<string, string>>;
  }

  private read(file: string): Promise<object> {
    return readJsonObject(join(this.folder, file), 'is not a JSON object; correct or delete it');
  }

  private async write(file: string, value: object): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify(value, null, 2)}\n`;
    const path = join(this.folder, file);
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, text, { mode: OWNER_ONLY });
    await chmod(draft, OWNER_ONLY);
    await rename(draft, path);
  }
}

function requireKnown(name: string, contexts: Contexts['contexts']): void {
  if (Object.hasOwn(contexts, name)) return;
  const known = Object.keys(contexts).join(', ') || 'none';
  throw new UsageError(`No context is named ${name} (known: ${known})`);
}
