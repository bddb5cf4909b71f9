import { z } from 'zod';

import type { AuditEventView, ReceiptView, RoverReceiptView } from '#contracts/http/index';

import type { ReplayedSearch } from '../agent-service.port.js';
import { fenced } from '../text/fence.js';
import { fitLines } from '../text/fit-lines.js';
import { oneLine } from '../text/one-line.js';
import { agentTool, type TokenCounter, type ToolAnswer } from '../tool.types.js';
import { definedFields } from './defined-fields.js';
import { definitionsAnswer } from './find-definitions.tool.js';
import { referencesAnswer } from './find-references.tool.js';
import { maxTokens } from './inputs.js';
import { searchAnswer } from './search.tool.js';
import { codeAnswer } from './search-code.tool.js';

/** Tokens of a heading and of the line about further records. */
const FRAME = 60;
const PAGE = 100;
const LARGER = 'Repeat with a larger max_tokens';
const ROVER_LISTS = ['citations', 'searches', 'read'];
const id = z.string().min(1).max(64);
const time = z.iso.datetime({ offset: true }).max(40);

/** The audit trail, newest record first. */
const auditEventsTool = agentTool({
  name: 'audit_events',
  toolset: 'audit',
  scope: 'audit',
  title: 'Read the audit trail',
  description: 'Lists records of the audit trail, newest first: who did what to which target.',
  input: z.strictObject({
    from: time.optional().describe('RFC 3339 time'),
    to: time.optional(),
    action: z.string().min(1).max(100).optional().describe('Such as policy.updated or policy.*'),
    actor_id: z.string().min(1).max(200).optional(),
    target_id: z.string().min(1).max(200).optional(),
    after: z.int().min(0).optional().describe('Records before this seq'),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ max_tokens, ...filter }, { service, countTokens }) {
    const asked = definedFields({ ...filter, limit: PAGE, order: 'desc' as const });
    const { events } = await service.listAuditEvents(asked);
    const { lines, left } = fitLines(events.map(recordLine), max_tokens - FRAME, countTokens);
    const last = events[lines.length - 1];
    const isMore = last !== undefined && (left > 0 || events.length === PAGE);
    const more = isMore ? [`More: audit_events with after ${last.seq}.`] : [];
    const text = lines.length > 0 ? [...lines, ...more].join('\n') : 'No record matches.';
    const cut = {
      lists: ['events'],
      continued: (shown: number) => ({
        more: shown === 0 ? LARGER : `audit_events with after ${events[shown - 1]?.seq}`,
      }),
    };
    return { text, data: { events }, cut };
  },
});

/** The evidence behind an answer. */
const getReceiptTool = agentTool({
  name: 'get_receipt',
  toolset: 'audit',
  scope: 'read',
  title: 'Get a receipt',
  description: 'Returns the receipt of a search: query, policy, generations and scores.',
  input: z.strictObject({
    receipt_id: id,
    skip: z.int().min(0).max(999_999_999).default(0).describe('Results, or citations, to skip'),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ receipt_id, skip, max_tokens }, { service, countTokens }) {
    const receipt = fromItem(await service.getReceipt(receipt_id), skip);
    const written = JSON.stringify(receipt, null, 1).split('\n');
    const { lines, left } = fitLines(written, max_tokens - FRAME, countTokens);
    const more = left > 0 ? [`(${left} more lines: repeat with a larger max_tokens or skip)`] : [];
    const cut = {
      lists: 'results' in receipt ? ['results', 'live_generations'] : ROVER_LISTS,
      continued: (shown: number) => ({
        more: shown === 0 ? LARGER : `get_receipt with skip ${skip + shown}`,
      }),
    };
    const text = [fenced(lines.join('\n'), 'json'), ...more].join('\n');
    return { text, data: { ...receipt }, cut };
  },
});

/** The same search again, on the content and policy that it had. */
const replayTool = agentTool({
  name: 'replay',
  toolset: 'audit',
  scope: 'read',
  title: 'Replay a search',
  description: 'Answers the search of a receipt again, on the content and policy that it had.',
  input: z.strictObject({ receipt_id: id, max_tokens: maxTokens }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ receipt_id, max_tokens }, { service, countTokens }) {
    const { answer, matches } = await service.replay(receipt_id);
    const head = matches
      ? 'The replay equals the recorded answer.'
      : 'The replay differs from the recorded answer.';
    const room = max_tokens - FRAME;
    const { text, data, cut } = replayed(answer, room, countTokens);
    return { text: `${head}\n\n${text}`, data: { ...data, matches }, ...(cut && { cut }) };
  },
});

function replayed(
  answer: ReplayedSearch['answer'],
  room: number,
  countTokens: TokenCounter,
): ToolAnswer {
  const receiptId = null;
  if ('definitions' in answer) return definitionsAnswer({ answer, receiptId }, room, countTokens);
  if ('references' in answer) return referencesAnswer({ answer, receiptId }, room, countTokens);
  if ('files' in answer) return codeAnswer({ answer, receiptId }, room, countTokens);
  return searchAnswer({ answer, receiptId }, room, countTokens);
}

/** Returns a receipt whose results, or citations, begin at an item. */
function fromItem(
  receipt: ReceiptView | RoverReceiptView,
  skip: number,
): ReceiptView | RoverReceiptView {
  if ('results' in receipt) return { ...receipt, results: receipt.results.slice(skip) };
  return { ...receipt, citations: receipt.citations.slice(skip) };
}

/** Tools of auditors. */
export const AUDIT_TOOLS = [auditEventsTool, getReceiptTool, replayTool] as const;

function recordLine({ seq, recorded_at, action, outcome, actor, targets }: AuditEventView): string {
  const on = targets.map(({ type, id: target }) => `${type} ${target}`).join(', ');
  const by = `${actor.type} ${actor.name ?? actor.id}`;
  return oneLine(`- ${seq} ${recorded_at} ${action} (${outcome}) by ${by}${on ? ` on ${on}` : ''}`);
}
