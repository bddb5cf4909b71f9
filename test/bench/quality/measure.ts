import { writeFileSync } from 'node:fs';

import type { LocalModel, RankedChunk } from '#retrieval';
import type { Candidate } from '#search-index';

import { rankBy, VARIANTS, WHOLE, WITHOUT_SENTENCES } from './ablation.js';
import type { BenchSentences } from './bench-sentences.js';
import { indexSet } from './index-set.js';
import type { LabeledQuery } from './labels.js';
import { auc, halfInterval, mean, ndcg, quantile, recall, reciprocalRank } from './metric.js';
import { find, withIndex } from './open-set.js';
import type { QuerySet } from './query-set.js';
import { type Searched, shownResults } from './shown-results.js';

const REFUSAL_SCORE = 0.3;

interface Outcome {
  readonly repository: string;
  readonly query: string;
  readonly category: string;
  readonly ndcg: number;
  readonly reciprocalRank: number;
  readonly recall: number;
  /** NDCG@10 by the name of each variant of the ablation. */
  readonly variants: Readonly<Record<string, number>>;
  readonly topScore: number;
  readonly top: readonly string[];
}

/**
 * Indexes and asks each set, and prints what the ranking is worth on it. Queries of the next set
 * stand for those that a repository cannot answer; where there is one set alone, nothing is said of
 * them.
 *
 * @param model embeds passages and queries
 * @param json file that every query with its scores is also written to
 * @param sentences the sentence encoder. Default: none
 */
export async function measure(
  sets: readonly QuerySet[],
  model: LocalModel,
  json: string | undefined,
  sentences?: BenchSentences,
): Promise<void> {
  const outcomes: Outcome[] = [];
  const foreign: number[] = [];
  await withIndex(async (chunker, index) => {
    for (const [at, set] of sets.entries()) {
      const live = await indexSet(set, chunker, index, model);
      await sentences?.refine(index, live, set.name);
      const asked = { index, live, model, sentences };
      const own: Outcome[] = [];
      for (const query of set.queries) own.push(await evaluate(asked, set.name, query));
      outcomes.push(...own);
      const others = sets.length > 1 ? (sets[(at + 1) % sets.length]?.queries ?? []) : [];
      for (const { query } of others)
        foreign.push(rankBy(await find(index, live, model, query))[0]?.score ?? 0);
      console.log(
        `${set.name.padEnd(20)} ${set.revision.slice(0, 12)} ${String(live.chunks).padStart(6)} chunks ${String(own.length).padStart(5)} queries` +
          `  NDCG@10 ${mean(own.map((outcome) => outcome.ndcg)).toFixed(3)}`,
      );
    }
  }, sentences?.encoder);
  report(outcomes, foreign);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(outcomes, null, 1)}\n`);
}

async function evaluate(
  searched: Searched,
  repository: string,
  labeled: LabeledQuery,
): Promise<Outcome> {
  const { index, live, model, sentences } = searched;
  const found = await find(index, live, model, labeled.query);
  const { ranked, plain } = await shownResults(searched, found);
  const places = ranked.slice(0, 10).map(({ candidate }) => candidate);
  const score = (list: readonly RankedChunk<Candidate>[]): number =>
    ndcg(
      list.map(({ candidate }) => candidate),
      labeled.targets,
    );
  return {
    repository,
    query: labeled.query,
    category: labeled.category,
    ndcg: ndcg(places, labeled.targets),
    reciprocalRank: reciprocalRank(places, labeled.targets),
    recall: recall(places, labeled.targets),
    variants: {
      ...(sentences && { [WITHOUT_SENTENCES.name]: score(plain) }),
      ...Object.fromEntries(
        VARIANTS.map((variant) => [variant.name, score(rankBy(found, variant))]),
      ),
    },
    topScore: ranked[0]?.score ?? 0,
    top: places.slice(0, 5).map(({ path, startLine }) => `${path}:${startLine ?? ''}`),
  };
}

function report(outcomes: readonly Outcome[], foreign: readonly number[]): void {
  const own = outcomes.map(({ topScore }) => topScore);
  const spread = (values: readonly number[]): string =>
    [0.1, 0.5, 0.9].map((share) => quantile(values, share).toFixed(2)).join('/');
  const refused = (values: readonly number[]): string =>
    `${Math.round(100 * mean(values.map((score) => (score < REFUSAL_SCORE ? 1 : 0))))} %`;
  const scores = outcomes.map(({ ndcg }) => ndcg);
  console.log(
    `\nall ${outcomes.length} queries: NDCG@10 ${mean(scores).toFixed(4)} ± ${halfInterval(scores).toFixed(3)}` +
      `, MRR@10 ${mean(outcomes.map((outcome) => outcome.reciprocalRank)).toFixed(3)}` +
      `, recall@10 ${mean(outcomes.map((outcome) => outcome.recall)).toFixed(3)}`,
  );
  for (const category of [...new Set(outcomes.map((outcome) => outcome.category))].sort()) {
    const of = outcomes
      .filter((outcome) => outcome.category === category)
      .map((outcome) => outcome.ndcg);
    console.log(
      `  ${category.padEnd(14)} ${String(of.length).padStart(4)}  ${mean(of).toFixed(3)}`,
    );
  }
  if (foreign.length > 0) {
    console.log(`answerable against foreign queries: AUC ${auc(own, foreign).toFixed(3)}`);
    console.log(`top score p10/50/90: answerable ${spread(own)}, foreign ${spread(foreign)}`);
    console.log(`under ${REFUSAL_SCORE}: answerable ${refused(own)}, foreign ${refused(foreign)}`);
  }
  reportAblation(outcomes);
}

/**
 * Prints the gain of each part: NDCG@10 without it, and the paired difference with its 95 %
 * interval.
 */
function reportAblation(outcomes: readonly Outcome[]): void {
  console.log('\n| variant | NDCG@10 | against the whole, 95 % interval |\n|---|---|---|');
  for (const { name } of [WHOLE, WITHOUT_SENTENCES, ...VARIANTS]) {
    if (outcomes.every(({ variants }) => variants[name] === undefined) && name !== WHOLE.name)
      continue;
    const scores = outcomes.map((outcome) => outcome.variants[name] ?? outcome.ndcg);
    const differences = outcomes.map((outcome, at) => (scores[at] ?? 0) - outcome.ndcg);
    const change = `${mean(differences).toFixed(3)} ± ${halfInterval(differences).toFixed(3)}`;
    console.log(`| ${name} | ${mean(scores).toFixed(3)} | ${name === WHOLE.name ? '' : change} |`);
  }
}
