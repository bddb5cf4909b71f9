import {
  acceptedContent,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

import { askFor, sample } from './input-tools.js';
import { text } from './samples.js';

type State = Readonly<Record<string, unknown>>;
const NOTHING = z.object({});

/** Adds the tools that keep signed state at the client between two rounds of input. */
export function addStateTools(server: McpServer, states: RequestStateCodec<State>): void {
  const mint = (round: number) => states.mint({ round });
  for (const [name, answer] of [
    ['test_input_required_result_request_state', 'state-ok'],
    ['test_input_required_result_tampered_state', 'integrity-ok'],
  ] as const) {
    server.registerTool(
      name,
      { description: 'Needs a confirmation', inputSchema: NOTHING },
      async (_input, { mcpReq }) => {
        const isConfirmed = acceptedContent(mcpReq.inputResponses, 'confirm') !== undefined;
        if (isConfirmed && mcpReq.requestState() !== undefined) return { content: [text(answer)] };
        const inputRequests = { confirm: askFor('ok', 'Please confirm', 'boolean') };
        return inputRequired({ inputRequests, requestState: await mint(1) });
      },
    );
  }
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Needs three kinds of input at once', inputSchema: NOTHING },
    async (_input, { mcpReq }) => {
      const inputRequests = {
        user_name: askFor('name', 'What is your name?'),
        greeting: sample('Write a greeting'),
        client_roots: inputRequired.listRoots(),
      };
      const given = mcpReq.inputResponses ?? {};
      if (Object.keys(inputRequests).every((name) => given[name] !== undefined))
        return { content: [text('Completed')] };
      return inputRequired({ inputRequests, requestState: await mint(1) });
    },
  );
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Needs input twice', inputSchema: NOTHING },
    async (_input, { mcpReq }) => {
      const round = Number(mcpReq.requestState<State>()?.['round'] ?? 0);
      if (round >= 2) return { content: [text('Completed')] };
      const inputRequests =
        round === 0
          ? { step1: askFor('name', 'What is your name?') }
          : { step2: askFor('color', 'What is your favorite color?') };
      return inputRequired({ inputRequests, requestState: await mint(round + 1) });
    },
  );
}
