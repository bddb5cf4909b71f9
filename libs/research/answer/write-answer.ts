import type { ResearchPassage } from '../plan/action.types.js';
import type { Coverage } from '../plan/check.types.js';
import type { Understanding } from '../plan/question.types.js';
import type { AnswerDraft, ResearchAnswer } from './answer.types.js';
import { confidenceOf, notFound, type UnreadRepository } from './answer-outcome.js';
import { cleanClaim } from './clean-claim.js';
import { type CheckedClaim, composeAnswer } from './compose-answer.js';
import { judgeClaim } from './judge-claim.js';
import { quoteClaims } from './quote-claims.js';

const MOST_SECTIONS = 12;
const MOST_CLAIMS = 40;
const MOST_NOT_FOUND = 20;
const MOST_TITLE = 120;
const REMOVED = 'A statement without support was removed.';

/** Input of the last step. */
export interface WriteInput {
  readonly understanding: Understanding;
  /** Chosen evidence, best first; drafts cite it by number, from 1. */
  readonly evidence: readonly ResearchPassage[];
  readonly coverage: Coverage;
  /** Attached repositories, as `owner/name`. */
  readonly repositories: readonly string[];
  readonly unread: readonly UnreadRepository[];
}

interface DraftSection {
  readonly title: string;
  readonly claims: readonly CheckedClaim[];
}

/** Writes an answer without a model: quotations by repository, and contradictions side by side. */
export function writeAnswer(input: WriteInput): ResearchAnswer {
  const { understanding, evidence } = input;
  const byRepository = Map.groupBy(evidence.entries(), ([, { repo }]) => repo);
  const sections = [...byRepository].map(([repo, own]) => ({
    title: repo,
    claims: quoteClaims(
      understanding.question,
      own.map(([, passage]) => passage),
      own.map(([at]) => at),
    ),
  }));
  return finish(input, [...sections, ...contradictions(input)], []);
}

/**
 * Writes an answer from a model's draft. Passages that are not listed are dropped, and claims
 * without a passage, or with a number or name that no cited passage has. If nothing is left, the
 * answer is the one without a model.
 */
export function answerFromDraft(draft: AnswerDraft, input: WriteInput): ResearchAnswer {
  const removed: string[] = [];
  let left = MOST_CLAIMS;
  const sections = draft.sections.slice(0, MOST_SECTIONS).map(({ title, claims }) => {
    const kept = claims.slice(0, left).flatMap((claim) => checked(claim, input.evidence, removed));
    left -= kept.length;
    return { title: safeTitle(title, input), claims: kept };
  });
  if (sections.every(({ claims }) => claims.length === 0)) return writeAnswer(input);
  const stated = draft.not_found
    .slice(0, MOST_NOT_FOUND)
    .map(cleanClaim)
    .filter((text) => text !== '' && isHarmless(text, input));
  return finish(input, [...sections, ...contradictions(input)], [...stated, ...removed]);
}

function checked(
  claim: AnswerDraft['sections'][number]['claims'][number],
  evidence: readonly ResearchPassage[],
  removed: string[],
): CheckedClaim[] {
  const text = cleanClaim(claim.text);
  const passages = [...new Set(claim.passages)]
    .map((number) => number - 1)
    .filter((at) => Number.isInteger(at) && evidence[at] !== undefined);
  const judgement = judgeClaim(
    text,
    passages.flatMap((at) => evidence[at] ?? []),
  );
  if (text === '') return [];
  if (judgement.kind === 'kept') return [{ text, passages, support: judgement.support }];
  removed.push(REMOVED);
  return [];
}

/** Names and numbers of a sentence without a citation must be in the question or the evidence. */
function isHarmless(text: string, { understanding, evidence }: WriteInput): boolean {
  const { kind, ...rest } = judgeClaim(text, [...evidence, questionAsPassage(understanding)]);
  return kind !== 'invented' || !('token' in rest);
}

function safeTitle(title: string, input: WriteInput): string {
  const text = cleanClaim(title).replace(/[#`]/g, '').slice(0, MOST_TITLE).toWellFormed().trim();
  return text !== '' && isHarmless(text, input) ? text : 'Findings';
}

function questionAsPassage({ question }: Understanding): ResearchPassage {
  const citation = {
    chunk_id: '',
    source_id: '',
    source_name: '',
    path: '',
    version_ref: '',
    language: '',
    chunk_type: 'docs' as const,
  };
  const result = { content: question, score: 0, token_count: 0, citation };
  return { repo: '', result: { ...result, freshness_days: 0, is_stale: false } };
}

/** Returns a section that shows contradicting values of cited evidence side by side. */
function contradictions({ coverage, evidence }: WriteInput): DraftSection[] {
  const claims = coverage.contradictions.flatMap(({ name, values }): CheckedClaim[] => {
    const places = values.map(({ value, passage }) => ({
      value,
      at: evidence.findIndex(
        ({ result }) => result.citation.chunk_id === passage.result.citation.chunk_id,
      ),
    }));
    if (places.some(({ at }) => at === -1)) return [];
    const shown = places.map(({ value }) => code(value)).join(' and ');
    const passages = [...new Set(places.map(({ at }) => at))];
    return [{ text: `${code(name)} has different values: ${shown}.`, passages, support: 'quoted' }];
  });
  return claims.length === 0 ? [] : [{ title: 'Contradictions', claims }];
}

function code(text: string): string {
  return `\`${cleanClaim(text).replaceAll('`', "'")}\``;
}

function finish(
  input: WriteInput,
  sections: readonly DraftSection[],
  stated: readonly string[],
): ResearchAnswer {
  const numbers = new Set(
    sections.flatMap(({ claims }) => claims.flatMap(({ passages }) => passages)),
  );
  const cited = input.evidence.filter((_, at) => numbers.has(at));
  const outcome = { ...input, cited };
  const found = [...new Set([...stated, ...notFound(outcome)])];
  return composeAnswer(
    { sections, notFound: found, confidence: confidenceOf(outcome) },
    input.evidence,
  );
}
