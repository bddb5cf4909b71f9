import type {
  ChatCitationView,
  ChatSummaryView,
  ChatTokenView,
  ConversationDetailView,
} from '#contracts/http/index';

import { EventStreamReader } from '../logic/event-stream.js';
import { ApiError } from './api.js';

/** A question and as much of its answer as has arrived. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
  readonly citations: readonly ChatCitationView[];
  readonly notices: readonly string[];
  /** Receipt of a complete answer. */
  readonly receiptId: string | null;
  readonly state: 'streaming' | 'done' | 'stopped' | ApiError;
}

/** Returns a question whose answer is in a state. */
export function turnOf(question: string, state: Turn['state']): Turn {
  return { question, answer: '', citations: [], notices: [], receiptId: null, state };
}

/** Returns the turns of a stored conversation, the oldest first. */
export function turnsOf({ messages }: ConversationDetailView): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      turns.push(turnOf(message.content, 'done'));
      continue;
    }
    const last = turns.pop();
    if (!last) continue;
    const { content: answer, citations = [], receipt_id: receiptId = null } = message;
    turns.push({ ...last, answer, citations, receiptId });
  }
  return turns;
}

/** Reads a streamed answer to its end. @throws ApiError when the stream ends without one. */
export async function readAnswer(
  response: Response,
  onText: (answer: string) => void,
): Promise<ChatSummaryView> {
  if (!response.body) throw new ApiError(0, 'unreadable_answer', 'The answer has no body', null);
  const events = new EventStreamReader();
  let answer = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const { event, data } of events.push(value)) {
      if (event === 'token') {
        answer += (JSON.parse(data) as ChatTokenView).token;
        onText(answer);
      } else if (event === 'done') {
        return JSON.parse(data) as ChatSummaryView;
      } else if (event === 'error') {
        const { code, error } = JSON.parse(data) as {
          readonly code: string;
          readonly error: string;
        };
        throw new ApiError(0, code, error, response.headers.get('x-request-id'));
      }
    }
  }
  throw new ApiError(0, 'stream_cut', 'The connection ended before the answer', null);
}
