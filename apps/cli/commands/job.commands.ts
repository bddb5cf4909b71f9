import { type Command, Option } from 'commander';

import { every } from '#client';

import { followJob } from '../follow-job.js';
import { definedFields } from '../options.js';
import type { Session } from '../session.js';
import { sourceId } from '../source-id.js';

const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

interface ListOptions {
  readonly source?: string;
  readonly status?: (typeof STATUSES)[number];
}

/** Adds `job`. */
export function addJobCommands(program: Command, session: Session): void {
  const { terminal } = session;
  const job = program.command('job').description('Syncs in the background.');
  job
    .command('list')
    .description('Lists the jobs, newest first.')
    .option('-s, --source <name>', 'jobs of one source')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .action(async ({ source, status }: ListOptions) => {
      const source_id = source === undefined ? undefined : await sourceId(session, source);
      const input = { query: definedFields({ source_id, status }), ...session.settings() };
      const columns = ['id', 'status', 'stage', 'progress_percent', 'created_at'] as const;
      await terminal.list(every((await session.client()).jobs.list, 'jobs', input), columns);
    });
  job
    .command('show')
    .description('Shows a job.')
    .argument('<id>')
    .action(async (job_id: string) =>
      terminal.object(
        await (await session.client()).jobs.get({ path: { job_id }, ...session.settings() }),
      ),
    );
  job
    .command('watch')
    .description('Follows a job to its end; exit code 1 if it does not complete.')
    .argument('<id>')
    .action((id: string) => followJob(session, id));
  job
    .command('cancel')
    .description('Cancels a job.')
    .argument('<id>')
    .action(async (job_id: string) =>
      terminal.object(
        await (await session.client()).jobs.cancel({ path: { job_id }, ...session.settings() }),
      ),
    );
}
