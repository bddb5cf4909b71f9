import { type AgentService, toolsFor } from '#agent-tools';
import { KEY_SCOPES } from '#contracts';
import { countO200k } from '#ingest/chunk/tokens';

import {
  type AgentTask,
  type AgentWork,
  CountedCalls,
  placesIn,
  type TaskAgent,
} from './agent-task.js';

/** Answers by the tools of the Model Context Protocol alone, as text. */
export class ToolAgent implements TaskAgent {
  readonly name = 'MCP tools';
  private readonly tools = toolsFor(['default'], KEY_SCOPES);

  constructor(private readonly service: AgentService) {}

  async work(task: AgentTask): Promise<AgentWork> {
    const calls = new CountedCalls(countO200k);
    const { references, pattern, names = [], paths, repository } = task;
    const call = (name: string, input: object) => calls.read(() => this.call(name, input));
    const scope = { sources: [repository], ...(paths && { paths }) };
    if (references !== undefined) {
      const [path] = paths ?? [];
      const scoped = { name: references, source: repository, ...(path !== undefined && { path }) };
      const text = await call('find_references', scoped);
      // Definitions and imports have their kind before the text.
      const uses = text.split('\n').filter((line) => !/^\S+: \((definition|import)/.test(line));
      return calls.work(/Complete\./.test(text) ? placesIn(uses.join('\n'), task) : []);
    }
    if (pattern !== undefined) {
      const text = await call('search_code', { pattern, regex: true, ...scope });
      return calls.work(/Complete:/.test(text) ? placesIn(text, task) : []);
    }
    const absent: string[] = [];
    for (const name of names) {
      const text = await call('search_code', { pattern: name, word: true, ...scope });
      if (/Complete:/.test(text) && placesIn(text, task).length === 0) absent.push(name);
    }
    return calls.work(absent);
  }

  private async call(name: string, input: object): Promise<string> {
    const tool = this.tools.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    const context = { service: this.service, countTokens: countO200k };
    return (await tool.run(tool.input.parse(input), context as never)).text;
  }
}
