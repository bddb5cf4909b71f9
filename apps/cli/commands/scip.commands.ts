import { openAsBlob } from 'node:fs';

import type { Command } from 'commander';

import { every } from '#client';

import { definedFields } from '../options.js';
import type { Session } from '../session.js';
import { sourceId } from '../source-id.js';

interface UploadOptions {
  readonly versionRef: string;
  readonly name?: string;
  readonly root?: string;
}

/** Adds `scip` to `source`; without a subcommand, it uploads. */
export function addScipCommands(source: Command, session: Session): void {
  const { terminal } = session;
  const scip = source
    .command('scip')
    .description('SCIP indexes of a repository, for precise definitions and references.');
  scip
    .command('upload', { isDefault: true })
    .description('Uploads an index in place of an earlier one of the same name.')
    .argument('<source>', 'name, owner/repo or id')
    .argument('<file>', 'SCIP index')
    .requiredOption('--version-ref <commit>', 'version that was indexed')
    .option('--name <name>', 'distinguishes the indexes of one source')
    .option('--root <folder>', 'folder that the paths of the index begin in')
    .action((name: string, file: string, options: UploadOptions) =>
      upload(session, name, file, options),
    );
  scip
    .command('list')
    .description('Lists the indexes of a source, with the files that each applies to.')
    .argument('<source>', 'name, owner/repo or id')
    .action(async (name: string) => {
      const input = { path: { source_id: await sourceId(session, name) }, ...session.settings() };
      const client = await session.client();
      const columns = [
        'name',
        'version_ref',
        'documents',
        'current_documents',
        'stored_bytes',
        'uploaded_at',
      ] as const;
      await terminal.list(every(client.scip.list, 'indexes', input), columns);
    });
  scip
    .command('remove')
    .description('Removes the indexes of a source.')
    .argument('<source>', 'name, owner/repo or id')
    .option('--name <name>', 'the index alone; default: all of the source')
    .action(async (source: string, { name }: { readonly name?: string }) => {
      const path = { source_id: await sourceId(session, source) };
      const query = definedFields({ name });
      await (await session.client()).scip.remove({ path, query, ...session.settings() });
    });
}

async function upload(
  session: Session,
  name: string,
  file: string,
  { versionRef, name: index, root }: UploadOptions,
): Promise<void> {
  const body = await openAsBlob(file, { type: 'application/x-protobuf' });
  const path = { source_id: await sourceId(session, name) };
  const query = { version_ref: versionRef, ...definedFields({ name: index, root }) };
  const client = await session.client();
  session.terminal.object(await client.scip.upload({ path, query, body, ...session.settings() }));
}
