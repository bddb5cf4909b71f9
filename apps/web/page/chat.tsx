import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type {
  ChatCitationView,
  ChatSummaryView,
  ChatTokenView,
  ConversationDetailView,
  ConversationList,
  ConversationView,
} from '#contracts/http/index';

import { EventStreamReader } from '../logic/event-stream.js';
import { termsOf } from '../logic/mark-terms.js';
import { paneParams } from '../logic/pane-params.js';
import type { Route } from '../logic/route.js';
import { Answer } from './answer.js';
import { ApiError, call, request } from './api.js';
import { fieldText } from './form-fields.js';
import { asApiError, goTo } from './hooks.js';
import { usePages } from './pager.js';
import { ErrorBox, Loading, PageTitle } from './parts.js';
import { ReadingPane } from './reading-pane.js';

/** Conversations on a page of their list. */
const CONVERSATIONS = 20;

/** A question and as much of its answer as has arrived. */
interface Turn {
  readonly question: string;
  readonly answer: string;
  readonly citations: readonly ChatCitationView[];
  readonly notices: readonly string[];
  readonly state: 'streaming' | 'done' | 'stopped' | ApiError;
}

/** Chat: answers arrive as they are written; their marks open the reading pane. */
export function ChatPage({ route }: { readonly route: Route }): JSX.Element {
  const conversation = route.params['conversation'];
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [spoken, setSpoken] = useState('');
  const running = useRef<AbortController | null>(null);
  const made = useRef<string | null>(null);
  const isOpen = route.params['open'] !== undefined;
  const list = usePages<ConversationList>('conversations', CONVERSATIONS);
  const [isOpening, setOpening] = useState(false);
  useEffect(() => {
    // A conversation that this page has just begun is already shown.
    if (made.current === (conversation ?? null)) return undefined;
    running.current?.abort();
    made.current = conversation ?? null;
    setTurns([]);
    setOpening(conversation !== undefined);
    if (conversation === undefined) return undefined;
    const controller = new AbortController();
    call<ConversationDetailView>('GET', `conversations/${conversation}`, {
      signal: controller.signal,
    }).then(
      (detail) => {
        setOpening(false);
        setTurns(turnsOf(detail));
      },
      (failure: unknown) => {
        if (controller.signal.aborted) return;
        setOpening(false);
        const state = asApiError(failure);
        setTurns([{ question: '', answer: '', citations: [], notices: [], state }]);
      },
    );
    return () => controller.abort();
  }, [conversation]);
  useEffect(() => () => running.current?.abort(), []);

  const change = (update: Partial<Turn>) =>
    setTurns((before) => {
      const last = before.at(-1);
      return last ? [...before.slice(0, -1), { ...last, ...update }] : before;
    });

  const ask = async (question: string) => {
    const controller = new AbortController();
    running.current = controller;
    const blank = { answer: '', citations: [], notices: [], state: 'streaming' } as const;
    setTurns((before) => [...before, { question, ...blank }]);
    setSpoken('The answer is being written');
    try {
      let id = conversation;
      if (id === undefined) {
        id = (await call<ConversationView>('POST', 'conversations', { body: {} })).id;
        made.current = id;
        goTo(['chat'], { conversation: id });
        list.reload();
      }
      const body = { query: question, conversation_id: id };
      const response = await request('POST', 'chat/stream', {
        body,
        headers: { accept: 'text/event-stream' },
        signal: controller.signal,
      });
      const summary = await readAnswer(response, (answer) => change({ answer }));
      change({ citations: summary.citations, notices: summary.notices ?? [], state: 'done' });
      setSpoken('The answer is complete');
    } catch (failure) {
      change({ state: controller.signal.aborted ? 'stopped' : asApiError(failure) });
      setSpoken('The answer has ended early');
    }
  };
  const isStreaming = turns.at(-1)?.state === 'streaming';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const question = fieldText(new FormData(form), 'question');
    if (question === '' || isStreaming) return;
    form.reset();
    void ask(question);
  };
  return (
    <>
      <PageTitle>Chat</PageTitle>
      <details>
        <summary>Conversations</summary>
        {list.error && <ErrorBox error={list.error} onRetry={list.reload} />}
        <ul>
          <li>
            <a href="#/chat">New conversation</a>
          </li>
          {list.data?.conversations.map(({ id, title }) => (
            <li key={id}>
              <a
                href={`#/chat?conversation=${id}`}
                aria-current={id === conversation ? 'true' : undefined}
              >
                {title ?? 'Without a question'}
              </a>
            </li>
          ))}
        </ul>
        {list.pager}
      </details>
      <p class="hidden" role="status">
        {spoken}
      </p>
      <div class={isOpen ? 'split' : undefined}>
        <section aria-label="Conversation">
          {isOpening && <Loading label="Loading the conversation…" />}
          {turns.length === 0 && !isOpening && (
            <p class="box">
              Ask about the indexed sources. Each statement is cited; a mark such as [1] opens the
              passage.
            </p>
          )}
          {turns.map((turn, index) => (
            <article class="turn" key={index}>
              {turn.question && <h2 class="question">{turn.question}</h2>}
              <Answer
                text={turn.answer}
                citations={turn.citations}
                onOpen={(citation) => goTo(['chat'], { ...route.params, ...paneParams(citation) })}
              />
              {turn.state === 'streaming' && <p class="loading">Writing…</p>}
              {turn.state === 'stopped' && <p class="meta">Stopped.</p>}
              {turn.notices.map((notice) => (
                <p class="box warn" key={notice}>
                  {notice}
                </p>
              ))}
              {typeof turn.state === 'object' && <ErrorBox error={turn.state} />}
            </article>
          ))}
          <form class="ask" onSubmit={submit}>
            <textarea
              name="question"
              aria-label="Question"
              placeholder={turns.length === 0 ? 'Ask a question' : 'Ask a further question'}
              rows={3}
              maxLength={2000}
              required
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
            />
            <p class="row">
              <button class="primary" aria-disabled={isStreaming}>
                Ask
              </button>
              {isStreaming && (
                <button type="button" onClick={() => running.current?.abort()}>
                  Stop
                </button>
              )}
            </p>
          </form>
        </section>
        {isOpen && <ReadingPane route={route} terms={termsOf(turns.at(-1)?.question ?? '')} />}
      </div>
    </>
  );
}

/** Reads a streamed answer to its end. @throws ApiError when the stream ends without one. */
async function readAnswer(
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

function turnsOf({ messages }: ConversationDetailView): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      turns.push({
        question: message.content,
        answer: '',
        citations: [],
        notices: [],
        state: 'done',
      });
      continue;
    }
    const last = turns.pop();
    if (last) {
      turns.push({ ...last, answer: message.content, citations: message.citations ?? [] });
    }
  }
  return turns;
}
