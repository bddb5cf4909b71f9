import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  inputRequired,
  type McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

import { text } from './samples.js';

const NOTHING = z.object({});
const answers = {
  name: z.object({ content: z.object({ name: z.string() }) }),
  sampled: z.object({ content: z.object({ text: z.string() }) }),
  roots: z.object({ roots: z.array(z.unknown()) }),
};

/** Returns a request for a form with one text field. */
export function askFor(field: string, message: string, type: 'string' | 'boolean' = 'string') {
  return inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: type === 'string' ? { type } : { type } },
      required: [field],
    },
  });
}

/** Returns a request for a completion by the client's model. */
export function sample(question: string) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: text(question) }],
    maxTokens: 50,
  });
}

/** Adds the tools that need input of the client before they answer. */
export function addInputTools(server: McpServer): void {
  const named = (name: string) => ({ description: name, inputSchema: NOTHING });
  server.registerTool(
    'test_input_required_result_elicitation',
    named('Needs a name'),
    (_input, { mcpReq }) => {
      const name = acceptedContent<{ name: unknown }>(mcpReq.inputResponses, 'user_name')?.name;
      return typeof name === 'string'
        ? { content: [text(`Hello, ${name}!`)] }
        : inputRequired({ inputRequests: { user_name: askFor('name', 'What is your name?') } });
    },
  );
  server.registerTool(
    'test_input_required_result_sampling',
    named('Needs a completion'),
    (_input, { mcpReq }) => {
      const given = answers.sampled.safeParse(mcpReq.inputResponses?.['capital_question']);
      return given.success
        ? { content: [text(given.data.content.text)] }
        : inputRequired({ inputRequests: { capital_question: sample('The capital of France?') } });
    },
  );
  server.registerTool(
    'test_missing_capability',
    named('Needs a completion, whatever the client declared'),
    (_input, { mcpReq }) =>
      mcpReq.inputResponses?.['llm_answer'] === undefined
        ? inputRequired({ inputRequests: { llm_answer: sample('Reply with pong') } })
        : { content: [text('Completed')] },
  );
  server.registerTool(
    'test_input_required_result_list_roots',
    named('Needs roots'),
    (_input, { mcpReq }) => {
      const given = answers.roots.safeParse(mcpReq.inputResponses?.['client_roots']);
      return given.success
        ? { content: [text(`${given.data.roots.length} roots`)] }
        : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    named('Needs what the client declared'),
    (_input, { mcpReq }) => {
      const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
      const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
      const inputRequests: InputRequests = {
        ...(declared?.elicitation && { user_name: askFor('name', 'What is your name?') }),
        ...(declared?.sampling && { greeting: sample('Write a greeting') }),
        ...(declared?.roots && { client_roots: inputRequired.listRoots() }),
      };
      const needsNothing = Object.keys(inputRequests).length === 0;
      return mcpReq.inputResponses !== undefined || needsNothing
        ? { content: [text('Completed')] }
        : inputRequired({ inputRequests });
    },
  );
}
