import { type Command, Option } from 'commander';

import type { FootnoteClient } from '#client';

import { collect, definedFields } from '../options.js';
import { plainText } from '../plain-text.js';
import type { Session } from '../session.js';
import { sourceIds } from '../source-id.js';

interface AskOptions {
  readonly source?: string[];
}

interface ResearchOptions {
  readonly repo?: string[];
  readonly mode?: 'fast' | 'deep';
}

/** Adds `ask` and `research`. */
export function addAnswerCommands(program: Command, session: Session): void {
  program
    .command('ask')
    .description('Answers a question from the indexed sources, with citations.')
    .argument('<question...>')
    .option('-s, --source <name>', 'name, owner/repo or id; may be repeated', collect)
    .action((words: readonly string[], { source }: AskOptions) =>
      ask(session, words.join(' '), source),
    );
  program
    .command('research')
    .description('Answers a question from GitHub repositories; Ctrl+C cancels it.')
    .argument('<question...>')
    .option('-r, --repo <owner/repo>', 'may be repeated', collect)
    .addOption(new Option('--mode <mode>').choices(['fast', 'deep']))
    .action((words: readonly string[], options: ResearchOptions) =>
      research(session, words.join(' '), options),
    );
}

async function ask(session: Session, query: string, names?: string[]): Promise<void> {
  const { terminal } = session;
  const client = await session.client();
  const body = { query, ...definedFields({ source_ids: await sourceIds(session, names) }) };
  if (terminal.mode === 'json') {
    const answer = await client.chat.ask({ body, ...session.settings() });
    if (answer.citations.length === 0) session.negative();
    return terminal.object(answer);
  }
  for await (const event of client.streams.chat(body, session.settings())) {
    if (event.event === 'token') terminal.raw(plainText(event.data.token));
    if (event.event === 'error') {
      terminal.raw('\n');
      terminal.note(event.data.error);
      session.negative();
    }
    if (event.event !== 'done') continue;
    terminal.raw('\n');
    const { citations, receipt_id, notices = [] } = event.data;
    for (const { number, source_name, path, start_line, end_line, version_ref } of citations) {
      const lines = start_line === undefined ? '' : `:${start_line}-${end_line}`;
      terminal.line(plainText(`[${number}] ${source_name} ${path}${lines} @${version_ref}`));
    }
    if (citations.length === 0) session.negative();
    for (const notice of notices) terminal.note(notice);
    terminal.note(`Receipt ${receipt_id}`);
  }
}

async function research(session: Session, question: string, options: ResearchOptions) {
  const { terminal } = session;
  if (terminal.mode === 'agent') {
    const { runTool } = await import('../run-tool.js');
    const fields = definedFields({ repos: options.repo, mode: options.mode });
    return runTool(session, 'research', { question, ...fields });
  }
  const client = await session.client();
  const body = { question, ...definedFields({ repos: options.repo, mode: options.mode }) };
  const { id } = await client.rover.create({ body, ...session.settings() });
  try {
    await followResearch(session, client, id);
  } catch (error) {
    // Whoever leaves does not wait for the answer any more: the work stops.
    if (session.signal.aborted) await client.rover.cancel.attempt({ path: { rover_job_id: id } });
    throw error;
  }
}

async function followResearch(session: Session, client: FootnoteClient, id: string) {
  const { terminal } = session;
  for await (const event of client.streams.rover(id, session.settings())) {
    if (event.event === 'step') terminal.progress(event.data.title);
    if (event.event === 'error') {
      terminal.progressEnded();
      terminal.note(event.data.error);
      session.negative();
    }
    if (event.event !== 'done') continue;
    terminal.progressEnded();
    const { status, answer, citations, error_message } = event.data;
    if (status !== 'completed' || citations.length === 0) session.negative();
    if (terminal.mode === 'json') return terminal.object(event.data);
    if (answer !== null) terminal.line(plainText(answer));
    for (const { id: number, repo, path, start_line, end_line, version_ref } of citations) {
      const lines = start_line === undefined ? '' : `:${start_line}-${end_line}`;
      terminal.line(plainText(`[${number}] ${repo} ${path}${lines} @${version_ref}`));
    }
    if (error_message !== null) terminal.note(error_message);
  }
}
