import { countO200k } from '#ingest/chunk/tokens';

import {
  type AgentTask,
  type AgentWork,
  CountedCalls,
  placesIn,
  type TaskAgent,
} from './agent-task.js';

/** Address and key of a service. */
export interface ApiAddress {
  readonly url: string;
  readonly key: string;
}

const TIMEOUT_MS = 60_000;
/** Time of one search, as the tools set it. */
const SEARCH_TIMEOUT_MS = '5000';
const COMPLETE = /^# .*; complete$/m;

/** Answers by the API alone: code search as text, references as JSON. */
export class ApiAgent implements TaskAgent {
  readonly name = 'API';

  constructor(
    private readonly address: ApiAddress,
    /** The id of the source of a repository. */
    private readonly sourceOf: (repository: string) => string,
  ) {}

  async work(task: AgentTask): Promise<AgentWork> {
    const calls = new CountedCalls(countO200k);
    if (task.references !== undefined) return this.references(task, task.references, calls);
    const search = (fields: object) =>
      calls.read(() => this.call('POST', '/search/code', this.scoped(task, fields)));
    if (task.pattern !== undefined) {
      const text = await search({ pattern: task.pattern, regex: true });
      return calls.work(COMPLETE.test(text) ? placesIn(text, task) : []);
    }
    const absent: string[] = [];
    for (const name of task.names ?? []) {
      const text = await search({ pattern: name, word: true });
      if (COMPLETE.test(text) && placesIn(text, task).length === 0) absent.push(name);
    }
    return calls.work(absent);
  }

  private async references(task: AgentTask, name: string, calls: CountedCalls): Promise<AgentWork> {
    const source_ids = this.sourceOf(task.repository);
    const query = new URLSearchParams({ name, source_ids, timeout_ms: SEARCH_TIMEOUT_MS });
    if (task.paths) query.set('path_patterns', task.paths.join(','));
    const text = await calls.read(() => this.call('GET', `/references?${query.toString()}`));
    const { references, complete } = JSON.parse(text) as {
      readonly references: readonly { readonly kind: string; path: string; line: number }[];
      readonly complete: boolean;
    };
    const used = complete ? references.filter(({ kind }) => kind === 'reference') : [];
    const lines = used.map(({ path, line }) => `${path}:${line}:`).join('\n');
    return calls.work(placesIn(lines, task));
  }

  private scoped({ repository, paths }: AgentTask, fields: object): object {
    return {
      ...fields,
      source_ids: [this.sourceOf(repository)],
      ...(paths && { path_patterns: paths }),
    };
  }

  private async call(method: string, path: string, body?: object): Promise<string> {
    const response = await fetch(`${this.address.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.address.key}`,
        accept: body ? 'text/plain' : 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }
}
