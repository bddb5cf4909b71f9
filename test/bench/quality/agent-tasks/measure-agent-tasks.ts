import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import { clientAgentService } from '#apps/mcp/http-agent-service';
import { createClient } from '#client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../../corpus.js';
import { type AgentTask, agentTasks, type AgentWork, type TaskAgent } from './agent-task.js';
import { ApiAgent } from './api-agent.js';
import { RipgrepAgent } from './ripgrep-agent.js';
import { ToolAgent } from './tool-agent.js';

/** The work of one agent for one task. */
interface Measured extends AgentWork {
  readonly task: AgentTask;
  readonly agent: string;
  readonly isRight: boolean;
}

/**
 * Answers the agent tasks by the API alone, by the MCP tools alone and by ripgrep with whole files.
 * It prints right answers, calls and tokens. Wrong answers set the exit code.
 *
 * @param folders clones of the repositories at the commits of the tasks.
 */
export async function measureAgentTasks(folders: readonly string[], json?: string): Promise<void> {
  const { tasks, commits } = agentTasks();
  const folderOf = (repository: string): string => {
    const found = folders.find((folder) => basename(folder) === repository.split('/')[1]);
    if (found === undefined) throw new Error(`--repo must name a clone of ${repository}`);
    return resolve(found);
  };
  for (const [repository, commit] of Object.entries(commits)) {
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folderOf(repository) });
    if (head.toString().trim() !== commit) throw new Error(`${repository} must be at ${commit}`);
  }
  const service = await TwoTenantService.start(ROOMY);
  try {
    const ids = new Map<string, string>();
    for (const repository of Object.keys(commits)) {
      const folder = folderOf(repository);
      const synced = await syncRepository(service.first, folder, service.scratch, repository);
      ids.set(repository, synced.source.id);
    }
    const { url, key } = service;
    const client = createClient({ url, apiKey: key, timeoutMs: 60_000, retries: 0 });
    const agents: readonly TaskAgent[] = [
      new ApiAgent({ url, key }, (repository) => ids.get(repository) ?? ''),
      new ToolAgent(clientAgentService(client)),
      new RipgrepAgent(folderOf),
    ];
    const measured: Measured[] = [];
    for (const task of tasks) for (const agent of agents) measured.push(await attempt(agent, task));
    report(agents, measured);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(measured, null, 2)}\n`);
    if (measured.some(({ isRight }) => !isRight)) process.exitCode = 1;
  } finally {
    await service.dispose();
  }
}

async function attempt(agent: TaskAgent, task: AgentTask): Promise<Measured> {
  const work = await agent.work(task);
  const isRight = JSON.stringify(work.answer) === JSON.stringify([...task.answer].sort());
  if (!isRight) console.error(`${task.id}, ${agent.name}: ${JSON.stringify(work.answer)}`);
  return { ...work, task, agent: agent.name, isRight };
}

function report(agents: readonly TaskAgent[], measured: readonly Measured[]): void {
  console.log('| tasks | agent | right | calls | tokens |\n| --- | --- | --- | --- | --- |');
  for (const kind of ['callers', 'readers', 'implementers', 'unused', 'all'])
    for (const { name } of agents) {
      const own = measured.filter(
        ({ agent, task }) => agent === name && (kind === 'all' || task.kind === kind),
      );
      const sum = (of: (each: Measured) => number) =>
        own.reduce((total, each) => total + of(each), 0);
      const right = `${own.filter(({ isRight }) => isRight).length} of ${own.length}`;
      const counts = [sum(({ calls }) => calls), sum(({ tokens }) => tokens)];
      console.log(`| ${[kind, name, right, ...counts].join(' | ')} |`);
    }
}
