import { completable, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { ECOSYSTEMS } from '#contracts';

import type { AgentService } from '../agent-service.port.js';
import { type OnFailure, protocolErrors } from '../protocol-errors.js';
import { namesLike } from '../source-names.js';
import { oneLine } from '../text/one-line.js';

const QUESTION = z.string().min(1).max(2_000);
const CITE =
  'Quote the citation (source path:lines @version) after each statement. If the tools report no ' +
  'evidence, say so and state what you searched.';

/** Adds the prompts: a question to sources, a tour of a source, and the use of a package. */
export function addPrompts(server: McpServer, service: AgentService, onFailure: OnFailure): void {
  const source = completable(z.string().min(1).max(200), (typed) =>
    protocolErrors('completion', onFailure, () => namesLike(service, typed)),
  );
  server.registerPrompt(
    'ask_sources',
    {
      title: 'Ask the sources',
      description: 'Answers a question from the indexed sources, with citations',
      argsSchema: z.object({
        question: QUESTION,
        source: completable(z.string().min(1).max(200).optional(), (typed = '') =>
          protocolErrors('completion', onFailure, () => namesLike(service, typed)),
        ),
      }),
    },
    ({ question, source: name }) =>
      prompt(
        `Answer this question from the indexed sources: ${oneLine(question)}`,
        name === undefined ? '' : `Search only the source ${quoted(name)}.`,
        'Use search for meaning and search_code for exact text. Read the passages that decide the ' +
          `answer with read_file. ${CITE}`,
      ),
  );
  server.registerPrompt(
    'explore_source',
    {
      title: 'Explore a source',
      description: 'Describes the structure and the entry points of a source, with citations',
      argsSchema: z.object({ source }),
    },
    ({ source: name }) =>
      prompt(
        `Describe the source ${quoted(name)} to an engineer who has not seen it.`,
        'Start with list_files. Read the main documentation and the entry points with read_file. ' +
          `State purpose, structure, main types and how to run the tests. ${CITE}`,
      ),
  );
  server.registerPrompt(
    'use_package',
    {
      title: 'Use a package',
      description: 'Shows how to do a task with a public package, from the code of a release',
      argsSchema: z.object({
        package: z.string().min(1).max(300),
        ecosystem: completable(z.enum(ECOSYSTEMS), (typed) =>
          ECOSYSTEMS.filter((each) => each.startsWith(typed)),
        ),
        task: QUESTION,
      }),
    },
    ({ package: name, ecosystem, task }) =>
      prompt(
        `Show how to do this with the ${ecosystem} package ${quoted(name)}: ${oneLine(task)}`,
        `Use search_package. Show the shortest code that its release supports. ${CITE}`,
      ),
  );
}

function prompt(...paragraphs: string[]) {
  const text = paragraphs.filter(Boolean).join('\n\n');
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}

function quoted(name: string): string {
  return `"${oneLine(name)}"`;
}
