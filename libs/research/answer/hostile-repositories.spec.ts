import { describe, expect, it } from '@jest/globals';

import {
  answerFromDraft,
  checkCoverage,
  type ResearchPassage,
  understand,
  writeAnswer,
} from '#research';
import { type HostileDocument, hostileDocuments } from '#test/support/hostile-documents';
import { passage } from '#test/support/research/passages';

const REPO = 'notes/notes';
const DOCUMENTS = hostileDocuments({
  url: 'http://127.0.0.1:9',
  otherTenant: { id: 'tenant-of-others', path: 'secrets/plan.md' },
});
const HIDDEN =
  /\p{Cf}|\p{Co}|\p{Cn}|(?![\t\n])\p{Cc}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u3164|\uffa0/u;
/** A link to a citation. */
const TARGET = /\]\(<(https:\/\/github\.com\/notes\/notes\/blob\/[^<>\s]*)>\)/g;

type Answer = ReturnType<typeof writeAnswer>;
type Place = 'content' | 'file name' | 'AGENTS.md';
const PLACES: readonly Place[] = ['content', 'file name', 'AGENTS.md'];

/** Returns the passage with the attack and its neighbor. */
function evidenceOf(
  { word, content, path, isProse }: HostileDocument,
  place: Place,
): readonly ResearchPassage[] {
  const attack = {
    content: { path, content, isProse },
    'file name': { path: `docs/${content}.md`, content: `The ${word} is empty.`, isProse: true },
    'AGENTS.md': { path: 'AGENTS.md', content, isProse: true },
  }[place];
  const neighbor = { content: `The ${word} is cleared at night.`, isProse: true, line: 7 };
  return [passage({ repo: REPO, ...attack }), passage({ repo: REPO, ...neighbor })];
}

/** Returns the answers of the rules and of a model that repeats all that it reads. */
function answersOf(evidence: readonly ResearchPassage[], word: string): readonly Answer[] {
  const understanding = understand(`Who clears the ${word}?`, [REPO]);
  const repositories = [REPO];
  const coverage = checkCoverage({ understanding, repositories, passages: evidence });
  const input = { understanding, evidence, coverage, repositories, unread: [] };
  const texts = evidence.flatMap(({ result }) => [result.content, result.citation.path]);
  const claims = texts.map((text) => ({ text, passages: [-1, 0, 1, 2, 3, 99, 1.5] }));
  const draft = { sections: texts.map((title) => ({ title, claims })), not_found: texts };
  return [writeAnswer(input), answerFromDraft(draft, input)];
}

/** Returns the answer without code, as a reader of Markdown takes it. */
function outsideCode(answer: string): string {
  return answer
    .replace(/^(`{3,})[^`\n]*\n(?:[\s\S]*?\n)?\1`*[ \t]*$/gm, '')
    .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
}

function marksOf(text: string): readonly string[] {
  return [...text.matchAll(/(?<!\\)\[\s*(\d[\d\s,]*)\]/g)].map(([, id = '']) => id);
}

describe('hostile repositories', () => {
  it('are at least sixty', () => {
    expect(DOCUMENTS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(PLACES)('move no answer by their %s', (place) => {
    for (const document of DOCUMENTS) {
      const evidence = evidenceOf(document, place);
      for (const { answer, citations, sections } of answersOf(evidence, document.word)) {
        expect(answer).not.toMatch(HIDDEN);
        const ids = citations.map(({ id }) => id);
        const claims = sections.flatMap((section) => section.claims);
        expect(claims.filter((claim) => !claim.citations.every((id) => ids.includes(id)))).toEqual(
          [],
        );
        for (const { content, path, url } of citations)
          expect(evidence.map(({ result }) => result)).toContainEqual(
            expect.objectContaining({
              content,
              citation: expect.objectContaining({ path, url }) as unknown,
            }),
          );
        const targets = [...answer.matchAll(TARGET)].map(([, url]) => url);
        expect(targets).toEqual(citations.map(({ url = '' }) => url.replace(/[<>\s]/g, '')));
        const unlinked = outsideCode(answer.replace(TARGET, ']'));
        expect([document.path, marksOf(unlinked)]).toEqual([
          document.path,
          claims.flatMap((claim) => claim.citations),
        ]);
        expect(unlinked).not.toMatch(
          /(?<!\\)\[[^\]]*\]\(|(?<!\\)<[/!?a-z]|https?:|www\.|^\s*\[[^\]]*\]:/im,
        );
      }
    }
  });
});
