import { z } from 'zod';

import type { RoverJobView } from '#contracts/http/index';
import { escapeInvisible } from '#retrieval';

import { fitLines } from '../text/fit-lines.js';
import { oneLine } from '../text/one-line.js';
import { agentTool, type TokenCounter, type ToolAnswer } from '../tool.types.js';
import { ToolProblem } from '../tool-problem.js';
import { maxTokens } from './inputs.js';
import { waitFor } from './wait-for.js';

/** Tokens of the line about further lines. */
const FRAME = 60;
const LARGER = 'Repeat with job_id and a larger max_tokens';
/** Lists of a job in the order of their use for an answer. */
const LISTS = ['citations', 'not_found', 'sections', 'read', 'steps'];
const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Research over public GitHub repositories, as a job that a further call continues. */
export const researchTool = agentTool({
  name: 'research',
  toolset: 'default',
  scope: 'write',
  title: 'Research repositories',
  description:
    'Answers a question from GitHub repositories, with citations at a commit. A long job returns ' +
    'its job_id: call again with it.',
  input: z.strictObject({
    question: z.string().min(1).max(2_000).optional(),
    repos: z.array(z.string().min(3).max(140)).max(10).optional().describe('owner/repo'),
    mode: z.enum(['fast', 'deep']).default('fast'),
    job_id: z.string().min(1).max(64).optional().describe('Continues a job'),
    max_tokens: maxTokens,
  }),
  readOnly: false,
  idempotent: false,
  openWorld: true,
  async run({ question, repos, mode, job_id, max_tokens }, context) {
    const { service } = context;
    if ((question === undefined) === (job_id === undefined))
      throw new ToolProblem('research takes either question, for a new job, or job_id.');
    const id =
      job_id ??
      (
        await service.createRoverJob({
          question: question ?? '',
          mode,
          ...(repos?.length && { repos }),
        })
      ).id;
    const job = await waitFor(
      {
        look: () => service.getRoverJob(id),
        isOver: ({ status }) => OVER.has(status),
        progressOf: ({ progress_percent: percent, steps }) => ({
          percent,
          message: oneLine(steps.at(-1)?.title ?? 'waiting'),
        }),
        cancel: () => service.cancelRoverJob(id),
      },
      context,
    );
    return jobAnswer(job, max_tokens, context.countTokens);
  },
});

function jobAnswer(job: RoverJobView, room: number, countTokens: TokenCounter): ToolAnswer {
  const { id, status, progress_percent } = job;
  const data = { ...job };
  if (!OVER.has(status)) {
    const state = `Job ${id} is ${status} (${progress_percent} %).`;
    const text = `${state} Call research with job_id "${id}".`;
    return { text, data, cut: { lists: ['steps'], continued: () => ({ more: state }) } };
  }
  if (status !== 'completed') {
    const reason = job.error_message === null ? '' : `: ${oneLine(job.error_message)}`;
    throw new ToolProblem(`Job ${id} ${status}${reason}`);
  }
  const { lines, left } = fitLines(answerLines(job), room - FRAME, countTokens);
  const more = left > 0 ? [`(${left} more lines: repeat with job_id and a larger max_tokens)`] : [];
  const cut = { texts: ['answer'], lists: LISTS, continued: () => ({ more: LARGER }) };
  return { text: [...lines, ...more].join('\n'), data, cut };
}

function answerLines(job: RoverJobView): readonly string[] {
  const { answer, citations, confidence, not_found, read } = job;
  const parts = [
    `Confidence ${confidence ?? 'insufficient'}.`,
    escapeInvisible(answer ?? ''),
    ...(not_found ?? []).map((each) => `Not found: ${oneLine(each)}`),
    ...citations.map(
      ({ id, repo, version_ref, path, start_line, end_line }) =>
        `[${id}] ${oneLine(`${repo}@${version_ref.slice(0, 12)} ${path}`)}:${start_line}-${end_line}`,
    ),
    ...(read ?? [])
      .filter(({ complete }) => !complete)
      .map(({ repo, reason }) => oneLine(`Not read completely: ${repo}: ${reason}`)),
  ];
  return parts.join('\n').split('\n');
}
