import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { PolicySettings, Receipt, ReceiptCode } from '#contracts';
import type {
  ReceiptAnswerView,
  ReceiptCodeView,
  ReceiptResultView,
  ReceiptView,
  RoverReceiptView,
} from '#contracts/http/index';
import type { LiveSourceThen } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { AnswerStore, type StoredAnswer } from '../chat/answer/answer-store.js';
import { PastPolicies } from '../history/past-policies.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { PastMoment } from '../search/past-moment.js';
import { filtersOf } from '../search/receipt/sealed-request.js';
import { Handles } from '../use-cases/handles.js';
import { RoverReceipts } from './rover-receipts.js';
import { type StoredReceipt, StoredReceipts } from './stored-receipts.js';

export class GetReceipt extends Query<ReceiptView | RoverReceiptView> {
  constructor(
    readonly caller: Caller,
    readonly receiptId: string,
  ) {
    super();
  }
}

@Handles(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(
    private readonly receipts: StoredReceipts,
    private readonly past: PastMoment,
    private readonly policies: PastPolicies,
    private readonly answers: AnswerStore,
    private readonly reads: RecordedReads,
    private readonly roverReceipts: RoverReceipts,
  ) {}

  async execute({ caller, receiptId }: GetReceipt): Promise<ReceiptView | RoverReceiptView> {
    const { tenantId } = caller;
    const ofRover = await this.roverReceipts.find(caller, receiptId);
    if (ofRover) {
      await this.reads.record(caller, { kind: 'receipt', receiptId });
      return ofRover;
    }
    const stored = await this.receipts.get(caller, receiptId);
    await this.reads.record(caller, { kind: 'receipt', receiptId });
    const { policy_revision, live_at, links_at } = stored.receipt;
    const [policy, live, answer] = await Promise.all([
      this.policies.settings(tenantId, policy_revision),
      this.past.liveSources(tenantId, live_at, stored.audiences, links_at),
      stored.receipt.kind === 'chat' ? this.answers.find(tenantId, receiptId) : undefined,
    ]);
    return {
      ...receiptView(stored, policy, live),
      ...(answer ? { answer: answerView(answer) } : {}),
    };
  }
}

function receiptView(
  { id, at, receipt, typed }: StoredReceipt,
  policy: PolicySettings,
  live: readonly LiveSourceThen[],
): ReceiptView {
  const { query = null, question, code, navigation, reranker } = typed ?? {};
  return {
    id,
    kind: receipt.kind,
    created_at: new Date(at).toISOString(),
    query,
    query_erased: typed === null,
    ...(question === undefined ? {} : { question }),
    parameters: {
      ...receipt.parameters,
      ...filtersOf(typed ?? {}),
      ...code,
      ...navigation,
    } as ReceiptView['parameters'],
    ...(receipt.as_of ? { as_of: receipt.as_of.at, as_of_seq: receipt.as_of.seq } : {}),
    policy_revision: receipt.policy_revision,
    policy,
    live_generations: live.map(
      ({ source_id, name, generation, version_ref, synced_at, dropped }) => ({
        source_id,
        source_name: name,
        generation,
        version_ref,
        synced_at,
        kept: !dropped,
      }),
    ),
    incomplete: receipt.incomplete ?? false,
    models: receipt.models,
    ...(reranker && { reranker: { model: reranker.model, outcome: reranker.outcome } }),
    ranking_version: receipt.ranking_version ?? null,
    retrieval_version: receipt.retrieval_version ?? null,
    outcome: receipt.outcome,
    results: receipt.results.map((result) => resultView(result, receipt.sources)),
    ...(receipt.code ? { code: codeView(receipt.code) } : {}),
  };
}

function codeView({ reason, partial_lines, ...code }: ReceiptCode): ReceiptCodeView {
  return {
    ...code,
    ...(partial_lines === undefined ? {} : { partial_lines }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function answerView({ outcome, model, text, cited, usage }: StoredAnswer): ReceiptAnswerView {
  const counted = usage && {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
  };
  return { outcome, model, text, cited: [...cited], ...counted };
}

function resultView(
  [
    chunk_id,
    source,
    keyword_score,
    vector_score,
    combined_score,
    score,
  ]: Receipt['results'][number],
  sources: Receipt['sources'],
): ReceiptResultView {
  const [source_id = '', generation = 0, priority = 0] = sources[source] ?? [];
  return {
    chunk_id,
    source_id,
    generation,
    keyword_score,
    vector_score,
    combined_score,
    priority,
    score,
  };
}
