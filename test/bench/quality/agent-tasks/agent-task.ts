import { readFileSync } from 'node:fs';

/** A question of a coding agent with its answer, which was found by hand with ripgrep. */
export interface AgentTask {
  readonly id: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly kind: 'callers' | 'readers' | 'implementers' | 'unused';
  readonly question: string;
  /** The name whose references answer the question. */
  readonly references?: string;
  /** The expression whose lines answer the question. */
  readonly pattern?: string;
  /** The names of which those that occur nowhere answer the question. */
  readonly names?: readonly string[];
  /** Globs that limit the scope. */
  readonly paths?: readonly string[];
  /** Lines whose place matches this expression do not count. */
  readonly exclude?: string;
  /** `path:line` of each line, or names. */
  readonly answer: readonly string[];
}

export interface AgentTaskSet {
  /** The commit for which the answers hold, by repository. */
  readonly commits: Readonly<Record<string, string>>;
  readonly tasks: readonly AgentTask[];
}

/** The answer of an agent to a task, and its cost. */
export interface AgentWork {
  readonly answer: readonly string[];
  readonly calls: number;
  /** o200k tokens of all results. */
  readonly tokens: number;
}

/** A script that answers tasks with one set of tools alone. */
export interface TaskAgent {
  readonly name: string;
  work(task: AgentTask): Promise<AgentWork>;
}

const FILE = 'test/bench/quality/agent-tasks/tasks.json';

export function agentTasks(): AgentTaskSet {
  return JSON.parse(readFileSync(FILE, 'utf8')) as AgentTaskSet;
}

/** Returns the places in a text of lines with `path:line:`; headings and the like are left out. */
export function placesIn(text: string, { exclude }: AgentTask): string[] {
  const excluded = exclude === undefined ? undefined : new RegExp(exclude);
  return text.split('\n').flatMap((line) => {
    const [, path, number] = /^(?!# )([^:\s]+):(\d+):/.exec(line) ?? [];
    const place = `${path}:${number}`;
    return path === undefined || excluded?.test(place) ? [] : [place];
  });
}

/** Returns the calls of an agent, which counts what they return. */
export class CountedCalls {
  calls = 0;
  tokens = 0;

  constructor(private readonly countTokens: (text: string) => number) {}

  async read(call: () => Promise<string> | string): Promise<string> {
    const text = await call();
    this.calls += 1;
    this.tokens += this.countTokens(text);
    return text;
  }

  work(answer: readonly string[]): AgentWork {
    return { answer: [...new Set(answer)].sort(), calls: this.calls, tokens: this.tokens };
  }
}
