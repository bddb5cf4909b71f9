import { z } from 'zod';

import { ECOSYSTEMS, SOURCE_TYPES } from '#contracts';

import { sourcesNamed } from '../source-names.js';
import { oneLine } from '../text/one-line.js';
import { agentTool } from '../tool.types.js';
import { ToolProblem } from '../tool-problem.js';
import { definedFields } from './defined-fields.js';
import { sourceName } from './inputs.js';
import { sourceLine } from './list-sources.tool.js';
import { waitFor } from './wait-for.js';

/** Registers a source; a sync indexes it. */
const addSourceTool = agentTool({
  name: 'add_source',
  toolset: 'manage',
  scope: 'write',
  title: 'Add a source',
  description: 'Registers a repository, docs site, specification or PDF. Then call sync_source.',
  input: z.strictObject({
    name: z.string().min(1).max(200),
    source_type: z.enum(SOURCE_TYPES),
    url: z.string().min(1).max(2_048),
    branch: z.string().min(1).max(255).optional(),
    docs_format: z.enum(['html', 'openapi']).optional(),
  }),
  readOnly: false,
  idempotent: false,
  openWorld: false,
  async run(input, { service }) {
    const source = await service.registerSource(definedFields(input));
    return { text: `Added.\n${sourceLine(source)}`, data: { ...source } };
  },
});

/** Indexes the present content of a source. */
const syncSourceTool = agentTool({
  name: 'sync_source',
  toolset: 'manage',
  scope: 'write',
  title: 'Sync a source',
  description: 'Indexes the present content of a source, or waits further for a job_id.',
  input: z.strictObject({
    source: sourceName.optional(),
    job_id: z.string().min(1).max(64).optional(),
  }),
  readOnly: false,
  idempotent: true,
  openWorld: true,
  async run({ source, job_id }, context) {
    const { service } = context;
    if ((source === undefined) === (job_id === undefined))
      throw new ToolProblem('sync_source takes either source, for a new sync, or job_id.');
    const id = job_id ?? (await started(source ?? '')).job_id;
    const job = await waitFor(
      {
        look: () => service.getJob(id),
        isOver: ({ completed_at }) => completed_at !== null,
        progressOf: ({ progress_percent: percent, progress_message }) => ({
          percent,
          message: oneLine(progress_message),
        }),
        cancel: () => service.cancelJob(id),
      },
      context,
    );
    const message = oneLine(job.error_message ?? job.progress_message);
    if (job.status === 'failed' || job.status === 'cancelled')
      throw new ToolProblem(`Job ${id} ${job.status}: ${message}`);
    const further =
      job.completed_at === null ? ` Call sync_source with job_id "${id}" to wait further.` : '';
    const text = `Job ${id} is ${job.status} (${job.progress_percent} %): ${message}.${further}`;
    return { text, data: { ...job } };

    async function started(name: string) {
      const [named] = await sourcesNamed(service, [name]);
      return service.requestSync(named?.id ?? name);
    }
  },
});

/** Makes the searches of the tenant cover a package. */
const addPackageTool = agentTool({
  name: 'add_package',
  toolset: 'manage',
  scope: 'write',
  title: 'Add a package',
  description: 'Makes search cover a release of a public package.',
  input: z.strictObject({
    name: z.string().min(1).max(300),
    ecosystem: z.enum(ECOSYSTEMS),
    version: z.string().min(1).max(128).optional(),
  }),
  readOnly: false,
  idempotent: true,
  openWorld: true,
  async run(input, { service }) {
    const link = await service.addPackage(definedFields(input));
    const release = oneLine(`${link.ecosystem} ${link.name} ${link.version}`);
    return { text: `Added ${release} (${link.status}).`, data: { ...link } };
  },
});

/** Tools that change what is indexed. */
export const MANAGE_TOOLS = [addSourceTool, syncSourceTool, addPackageTool] as const;
