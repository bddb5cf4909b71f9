import { Inject, Injectable } from '@nestjs/common';

import { type ConversationEvent, RECEIPT_EVENT_BYTES } from '#contracts';
import type { ChatCitationView } from '#contracts/http/index';
import {
  type ConversationCommand,
  conversationDecider,
  type ConversationState,
  type OpenConversation,
} from '#domain';
import { type CommandResult, EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { KeyDestroyedError, openParts, type Sealed, type Sealer, sealParts } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { signedIn } from '../people/signed-in.js';
import { CommandIdentities } from '../write/command-identities.js';
import type { CommandIdentity } from '../write/command-identity.js';
import { Projected } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { ConversationKeys } from './conversation-keys.js';

/** Bytes around a part of a turn's text in its event. */
const FRAME_BYTES = 512;
/** Longest title that is made of a question, in characters. */
const MADE_TITLE = 80;

/** The texts of one turn. */
export interface TurnText {
  readonly question: string;
  /** The question as it was searched for, where that was in other words. */
  readonly standalone?: string;
  readonly answer: string;
  readonly citations: readonly ChatCitationView[];
}

/** A turn as the log has it. */
export interface StoredTurn {
  readonly turn: number;
  readonly receiptId: string;
  readonly at: string;
  readonly parts: readonly string[];
}

/** A conversation of the caller, with what opens its texts. */
export interface ReadConversation {
  readonly state: OpenConversation;
  readonly sealer: Sealer;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly turns: readonly StoredTurn[];
}

/**
 * The conversations of people, as their streams show them. To anybody but its person a conversation
 * does not exist.
 */
@Injectable()
export class Conversations {
  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly keys: ConversationKeys,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws FootnoteError `conversation_not_found`. */
  async read(caller: Caller, id: string): Promise<ReadConversation> {
    const { userId } = signedIn(caller);
    const turns: (Omit<StoredTurn, 'parts'> & { readonly parts: string[] })[] = [];
    const times: string[] = [];
    let isOwn = false;
    const stream = `conversation-${requireId('conversation_not_found', id)}` as const;
    const { state } = await foldStream(this.store, conversationDecider, stream, {
      onEvent: ({ type, data, metadata: { tenant_id, occurred_at } }) => {
        isOwn ||= tenant_id === caller.tenantId;
        times.push(occurred_at);
        if (type === 'TurnAdded') {
          const { turn, receipt_id: receiptId, text } = data;
          turns.push({ turn, receiptId, at: occurred_at, parts: text === null ? [] : [text] });
        } else if (type === 'TurnContinued') turns.at(-1)?.parts.push(data.sealed);
      },
    });
    if (!isOwn || state.status !== 'open' || state.user_id !== userId)
      throw notFound('conversation_not_found', id);
    const sealer = await this.keys.sealer(
      { tenantId: caller.tenantId, userId, conversationId: id },
      state.key,
    );
    return { state, sealer, createdAt: times[0] ?? '', updatedAt: times.at(-1) ?? '', turns };
  }

  /** Null where its key is gone. @throws Error when it was tampered with. */
  async textOf(
    caller: Caller,
    { state, sealer }: ReadConversation,
    turn: StoredTurn,
  ): Promise<TurnText | null> {
    const text = await openParts(
      sealer,
      turnPlace(caller.tenantId, state.conversation_id, turn.turn),
      turn.parts,
    );
    return text === null ? null : (JSON.parse(text) as TurnText);
  }

  /**
   * Adds the turn that follows those that were read.
   * @throws FootnoteError `concurrent_change` where another came first, `conversation_not_found`
   * where it was deleted in the meantime.
   */
  async addTurn(
    caller: Caller,
    { state, sealer }: ReadConversation,
    receiptId: string,
    text: TurnText,
  ): Promise<void> {
    const { conversation_id: id, user_id } = state;
    const turn = state.turns + 1;
    const room = RECEIPT_EVENT_BYTES - FRAME_BYTES;
    const place = turnPlace(caller.tenantId, id, turn);
    const sealed = await sealParts(sealer, place, JSON.stringify(text), [room, room]);
    const title =
      state.title === null && sealed.length > 0
        ? await this.sealTitle(caller.tenantId, id, sealer, titleOf(text.question))
        : null;
    await this.change(caller, id, {
      type: 'AddTurn',
      data: { user_id, turn, receipt_id: receiptId, sealed, title },
    });
  }

  /** Runs a command on a conversation that is there, and waits until lists show it. */
  async change(
    caller: Caller,
    id: string,
    command: ConversationCommand,
    identity?: CommandIdentity,
  ): Promise<CommandResult<ConversationState, ConversationEvent>> {
    const result = await this.commands.run({
      caller,
      identity:
        identity ?? (await this.identities.of({ ...caller, idempotencyKey: undefined }, undefined)),
      stream: `conversation-${requireId('conversation_not_found', id)}`,
      decider: conversationDecider,
      expected: command.type === 'StartConversation' ? 'new' : 'existing',
      absent: () => notFound('conversation_not_found', id),
      decide: (current) => conversationDecider.decide(command, current),
    });
    await this.projected.reached('conversations', result.position);
    return result;
  }

  /** @throws FootnoteError `conversation_not_found` where it is being deleted. */
  async sealTitle(tenantId: string, id: string, sealer: Sealer, title: string): Promise<string> {
    try {
      return await sealer.seal(tenantId, titleContext(id), title);
    } catch (error) {
      throw error instanceof KeyDestroyedError ? notFound('conversation_not_found', id) : error;
    }
  }

  async openTitle(
    tenantId: string,
    id: string,
    sealer: Sealer,
    title: string | null,
  ): Promise<string | null> {
    return title === null ? null : sealer.open(tenantId, titleContext(id), title as Sealed);
  }
}

function turnPlace(tenantId: string, conversationId: string, turn: number) {
  return { tenantId, boundTo: `conversation-${conversationId}/turn-${turn}` };
}

function titleContext(id: string): string {
  return `conversation-${id}/title`;
}

/** The first question on one line, cut at a word where it is long. */
function titleOf(question: string): string {
  const line = Array.from(question.replace(/[\s\p{C}]+/gu, ' ').trim());
  if (line.length <= MADE_TITLE) return line.join('');
  const cut = line.slice(0, MADE_TITLE - 1).join('');
  const word = cut.lastIndexOf(' ');
  return `${word > MADE_TITLE / 2 ? cut.slice(0, word) : cut}…`;
}
