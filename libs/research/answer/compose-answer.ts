import { createHash } from 'node:crypto';

import type { Confidence } from '#contracts';
import { quotableLine } from '#retrieval';

import type { ResearchPassage } from '../plan/action.types.js';
import type { ResearchAnswer, ResearchCitation, ResearchSection, Support } from './answer.types.js';

/** A checked claim with the numbers of its passages, from 0. */
export interface CheckedClaim {
  readonly text: string;
  readonly passages: readonly number[];
  readonly support: Support;
}

/** Parts of an answer before its citations have numbers. */
export interface AnswerParts {
  readonly sections: readonly {
    readonly title: string;
    readonly claims: readonly CheckedClaim[];
  }[];
  readonly notFound: readonly string[];
  readonly confidence: Confidence;
}

/**
 * Numbers the citations in the order of the claims and writes the Markdown. A claim without a
 * passage is an error of the caller, so the answer never has one.
 */
export function composeAnswer(
  { sections, notFound, confidence }: AnswerParts,
  passages: readonly ResearchPassage[],
): ResearchAnswer {
  const citations = new Map<number, ResearchCitation>();
  const cite = (at: number): string => {
    const known = citations.get(at);
    if (known) return known.id;
    const passage = passages[at];
    if (!passage) throw new RangeError(`No passage ${at} of ${passages.length}`);
    const cited = citationOf(passage, String(citations.size + 1));
    citations.set(at, cited);
    return cited.id;
  };
  const numbered = sections
    .filter(({ claims }) => claims.length > 0)
    .map(({ title, claims }): ResearchSection => ({
      title,
      claims: claims.map(({ text, passages: own, support }) => {
        if (own.length === 0) throw new RangeError('A claim must cite a passage');
        return { text, citations: own.map(cite), support };
      }),
    }));
  const cited = [...citations.values()];
  return {
    answer: markdown(numbered, notFound, cited),
    sections: numbered,
    not_found: notFound,
    confidence,
    citations: cited,
  };
}

function citationOf({ repo, result }: ResearchPassage, id: string): ResearchCitation {
  const { content, citation } = result;
  const sha256 = createHash('sha256').update(content, 'utf8').digest('hex');
  return { ...citation, id, repo, content, sha256 };
}

/** Returns the place of a citation: `owner/name@sha path:first-last`. */
export function citedPlace({
  repo,
  version_ref,
  path,
  start_line,
  end_line,
}: ResearchCitation): string {
  const lines =
    start_line === undefined
      ? ''
      : end_line === undefined || end_line === start_line
        ? `:${start_line}`
        : `:${start_line}-${end_line}`;
  return `${repo}@${version_ref} ${path}${lines}`;
}

function markdown(
  sections: readonly ResearchSection[],
  notFound: readonly string[],
  citations: readonly ResearchCitation[],
): string {
  const parts = sections.map(({ title, claims }) => {
    const paragraphs = claims.map(({ text, citations: own }) => withMarks(text, own));
    return `## ${title}\n\n${paragraphs.join('\n\n')}`;
  });
  if (notFound.length > 0)
    parts.push(`## Not found\n\n${notFound.map((text) => `- ${text}`).join('\n')}`);
  if (citations.length > 0) {
    const list = citations.map((each) => `${each.id}. ${linked(each)}`);
    parts.push(`## Citations\n\n${list.join('\n')}`);
  }
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

/** Puts the marks after the first line, which names the place; other lines are quoted. */
function withMarks(text: string, ids: readonly string[]): string {
  const marks = ids.map((id) => `[${id}]`).join('');
  const end = text.indexOf('\n');
  return end === -1 ? `${text} ${marks}` : `${text.slice(0, end)} ${marks}${text.slice(end)}`;
}

function linked(citation: ResearchCitation): string {
  const place = asCode(citedPlace(citation));
  return citation.url === undefined
    ? place
    : `[${place}](<${citation.url.replace(/[<>\s]/g, '')}>)`;
}

/** Formats a place as code; a path may have backticks, brackets and hidden characters. */
function asCode(text: string): string {
  return `\`${quotableLine(text).replaceAll('`', "'")}\``;
}
