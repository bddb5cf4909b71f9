import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type {
  ConversationDetailView,
  ConversationList,
  ConversationView,
} from '#contracts/http/index';

import { termsOf } from '../logic/mark-terms.js';
import { paneParams } from '../logic/pane-params.js';
import type { Route } from '../logic/route.js';
import { Answer } from './answer.js';
import { call, request, STREAM_TIMEOUT_MS } from './api.js';
import { ChatScope, scopeOf } from './chat-scope.js';
import { readAnswer, type Turn, turnOf, turnsOf } from './chat-turns.js';
import { ConversationDocuments } from './conversation-documents.js';
import { Conversations } from './conversation-list.js';
import { fieldText } from './form-fields.js';
import { asApiError, goTo } from './hooks.js';
import { usePages } from './pager.js';
import { ErrorBox, Loading, PageTitle } from './parts.js';
import { ReadingPane } from './reading-pane.js';
import { ReplayButton } from './replay-button.js';

/** Conversations on a page of their list. */
const CONVERSATIONS = 20;

/** Chat: answers arrive as they are written; their marks open the reading pane. */
export function ChatPage({ route }: { readonly route: Route }): JSX.Element {
  const conversation = route.params['conversation'];
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [spoken, setSpoken] = useState('');
  const running = useRef<AbortController | null>(null);
  const made = useRef<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
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
        setTurns([turnOf('', state)]);
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

  /** Returns the conversation; begins one if none is open. */
  const opened = async (): Promise<string> => {
    if (conversation !== undefined) return conversation;
    const { id } = await call<ConversationView>('POST', 'conversations', { body: {} });
    made.current = id;
    goTo(['chat'], { conversation: id });
    list.reload();
    return id;
  };

  const ask = async (question: string, scope: ReturnType<typeof scopeOf>) => {
    const controller = new AbortController();
    running.current = controller;
    setTurns((before) => [...before, turnOf(question, 'streaming')]);
    setSpoken('The answer is being written');
    try {
      const body = { query: question, conversation_id: await opened(), ...scope };
      const response = await request('POST', 'chat/stream', {
        body,
        headers: { accept: 'text/event-stream' },
        signal: controller.signal,
        timeoutMs: STREAM_TIMEOUT_MS,
      });
      const summary = await readAnswer(response, (answer) => change({ answer }));
      const { citations, notices = [], receipt_id: receiptId = null } = summary;
      change({ citations, notices, receiptId, state: 'done' });
      // The first question is the title.
      list.reload();
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
    const fields = new FormData(form);
    const question = fieldText(fields, 'question');
    if (question === '' || isStreaming) return;
    if (box.current) box.current.value = '';
    void ask(question, scopeOf(fields));
  };
  return (
    <>
      <PageTitle>Chat</PageTitle>
      <Conversations list={list} current={conversation} />
      <ConversationDocuments conversation={conversation} onNeeded={opened} />
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
              {turn.receiptId !== null && <ReplayButton receiptId={turn.receiptId} />}
              {typeof turn.state === 'object' && <ErrorBox error={turn.state} />}
            </article>
          ))}
          <form class="ask" onSubmit={submit}>
            <textarea
              ref={box}
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
            <ChatScope />
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
