import type { Command } from 'commander';

import { createClient, isApiError } from '#client';

import { readSecret } from '../read-secret.js';
import { type Session, validUrl } from '../session.js';
import { UsageError } from '../usage-error.js';

/** Adds `login` and `context`. */
export function addContextCommands(program: Command, session: Session): void {
  program
    .command('login')
    .description('Stores an API key, which standard input or a prompt supplies.')
    .argument('[url]', 'address of the service; default: that of the context, or port 8080')
    .option('--name <name>', 'name of the context', 'default')
    .action((url: string | undefined, { name }: { readonly name: string }) =>
      login(session, name, url),
    );

  const context = program.command('context').description('Services that this machine knows.');
  context
    .command('list')
    .description('Lists the contexts.')
    .action(async () =>
      session.terminal.list(each(await session.contexts.list()), ['name', 'url', 'current']),
    );
  context
    .command('use')
    .description('Makes a context the current one.')
    .argument('<name>')
    .action((name: string) => session.contexts.use(name));
  context
    .command('remove')
    .description('Removes a context and its key from this machine; the key stays valid.')
    .argument('<name>')
    .action((name: string) => session.contexts.remove(name));
}

async function login(session: Session, name: string, given: string | undefined): Promise<void> {
  const known = (await session.contexts.list()).find((each) => each.name === name);
  const url = validUrl(given ?? session.variables.url ?? known?.url ?? 'http://localhost:8080');
  const apiKey = await readSecret(`API key for ${url}: `);
  if (!/^[\x21-\x7e]{1,200}$/.test(apiKey)) throw new UsageError('The input is not an API key');
  const outcome = await createClient({ url, apiKey }).sources.list.attempt({ query: { limit: 1 } });
  // A key without the scope `read` is a key.
  if (!outcome.ok && !isApiError(outcome.error, 'scope_missing')) throw outcome.error;
  await session.contexts.save(name, url, apiKey);
  session.terminal.note(`Stored the key of ${url} as context ${name}`);
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
