import { evidenceOf } from '#apps/api/chat/answer/chat-evidence';
import { CitationMarks } from '#apps/api/chat/answer/citation-marks';
import { INSTRUCTIONS } from '#apps/api/chat/answer/instructions';
import { markedAnswer } from '#apps/api/chat/answer/marked-answer';
import { questionSearch } from '#apps/api/chat/answer/question-search';
import { POLICY_DEFAULTS } from '#contracts';
import { ChatBody } from '#contracts/http/index';
import {
  createExtractiveChat,
  createLocalEmbedder,
  type Evidence,
  type LocalModelAddress,
} from '#models';
import { loadConfig, systemClock } from '#platform';
import { asPassages, createSearches, OF_TENANT, type SearchMoment } from '#search';
import type { LiveSource, SearchIndex } from '#search-index';

import { searchableOf } from './searchable-of.js';

/** An answer without a model, with what it was given to rest on. */
export interface GivenAnswer {
  readonly text: string;
  readonly evidence: readonly Evidence[];
  /** Numbers of the evidence that the answer marks, in the order of their first marks. */
  readonly cited: readonly number[];
}

/** The limits of the evidence of a request. Default: those of the chat. */
export type EvidenceAsked = Partial<Pick<ChatBody, 'top_k' | 'max_context_tokens'>>;

/**
 * Answers questions as POST /chat does without a model, by its own parts: search, choice of
 * evidence, answer, marks.
 */
export function openChat(
  index: SearchIndex,
  address: LocalModelAddress,
  evidenceAsked: EvidenceAsked = {},
) {
  const config = loadConfig({ DATA_DIR: '/' }, '/');
  const { hybrid: searches } = createSearches({
    index,
    embedder: createLocalEmbedder(address),
    // Content is never replaced here, so a search that fails has failed.
    missingContent: { refreshUnlessFresh: () => Promise.resolve() },
    clock: systemClock,
    config,
  });
  const model = createExtractiveChat();
  return async (question: string, ...live: readonly LiveSource[]): Promise<GivenAnswer> => {
    const body = { ...new ChatBody(), ...evidenceAsked, query: question };
    const { answer } = await searches.run(questionSearch(body), () => momentOf(live), {
      choose: asPassages,
    });
    if (!('results' in answer)) return { text: '', evidence: [], cited: [] };
    const evidence = answer.results.map(evidenceOf);
    const marks = new CitationMarks(evidence.length);
    const asked = { instructions: INSTRUCTIONS, history: [], question, evidence };
    let text = '';
    for await (const piece of markedAnswer(model, asked, marks)) text += piece;
    return { text, evidence, cited: [...marks.cited] };
  };
}

/** A tenant that has these repositories alone, fresh, and never changed its policy. */
function momentOf(live: readonly LiveSource[]): SearchMoment {
  const now = systemClock.now().getTime();
  const tenantId = live[0]?.tenantId ?? '';
  return {
    tenantId,
    audiences: OF_TENANT,
    policy: POLICY_DEFAULTS,
    policyRevision: null,
    sources: live.map((source) => searchableOf(source, now)),
    lost: [],
    indexedOnly: [],
    liveAt: null,
    linksAt: null,
    now,
  };
}
