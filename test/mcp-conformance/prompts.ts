import {
  acceptedContent,
  type ContentBlock,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

import { askFor } from './input-tools.js';
import { IMAGE, text } from './samples.js';

/** Adds the prompts that the suite gets, and completion of their arguments. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Constant' }, () =>
    prompt(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () =>
    prompt(IMAGE, text('Please analyze the image above.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) =>
      prompt(
        {
          type: 'resource' as const,
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' },
        },
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Needs input' },
    ({ mcpReq }: ServerContext) => {
      const given = acceptedContent<{ context: unknown }>(mcpReq.inputResponses, 'user_context');
      return typeof given?.context === 'string'
        ? prompt(text(`Use the following context: ${given.context}`))
        : inputRequired({ inputRequests: { user_context: askFor('context', 'Which context?') } });
    },
  );
  server.server.setRequestHandler('logging/setLevel', () => ({}));
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

function prompt(...blocks: ContentBlock[]) {
  return { messages: blocks.map((content) => ({ role: 'user' as const, content })) };
}
