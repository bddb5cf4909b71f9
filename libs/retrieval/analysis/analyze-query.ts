import { endpointName } from '#contracts/content/endpoint';

import { remember } from '../bounded-cache.js';
import { cachedWordTerms, splitIdentifier } from './analyze.js';
import { MAX_WORD, scanWords } from './scan-words.js';

/**
 * Words left out of queries only. A query of nothing else matches only content that has it as a
 * name.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'the a an of to in for is are and or with that this it be as by on from if not when return returns ' +
    'how what where which who why do does did can i ' +
    'its their them these those into onto via than then there while has have had was were been being ' +
    'will would should could may might must about but both also so such only between using used'
  ).split(' '),
);

const EMBEDDED_IDENTIFIER =
  /\b([A-Z][a-z][a-z0-9_]*[A-Z]\w*|[a-z]+[A-Z]\w+|_[A-Za-z]\w+|\w[^\W_]*_\w+)\b/g;
/** A name in backticks is one whatever its form: `draw`. */
const QUOTED_NAME = /`([A-Za-z_]\w+)`/g;
const CAPITALISED_WORD = /(?<![\w$])[A-Z][a-z][a-z0-9]+(?![\w$])/g;
const ENDPOINT =
  /\b(get|put|post|delete|options|head|patch|trace|query)\s+(?:https?:\/\/[^\s/]+)?(\/[^\s"'`,;]*)/gi;
const ENDPOINT_PATH = /(?:^|[\s"'`(])(?:https?:\/\/[^\s/]+)?(\/[^\s"'`,;)]+)/g;
/** Names that contain signs, such as operations of an API: `repos/list-for-user`, `pets.list`. */
const SIGNED_NAME = /(?<![^\s"'`(])\w+(?:[-./:]\w+)+(?=[.?!,;:]*(?:["'`)\s]|$))/g;
const MAX_IDENTIFIERS = 16;
const MAX_SPELLED = 4;
const MAX_TERMS = 64;
const MAX_CACHED_QUERIES = 128;
/** Longest query that is cached, in characters. */
const MAX_CACHED_LENGTH = 1_000;

/** A query in the form that the index and the ranker read. */
export interface AnalyzedQuery {
  readonly text: string;
  /**
   * Whether all of its words are stop words, so that neither its terms nor its vector show its
   * topic.
   */
  readonly saysNothing: boolean;
  /** Distinct terms in order of first appearance, without stop words; at most 64. */
  readonly terms: readonly string[];
  /** Frequency of each term in the query. */
  readonly frequencies: Uint8Array;
  /**
   * The last part of a query that is one identifier (`Session.get` → `get`); undefined for any
   * other query.
   */
  readonly identifier: string | undefined;
  /**
   * Exact names for the definition retriever: the identifier, or those inside the text, capitalized
   * words included; at most 16.
   */
  readonly identifiers: readonly string[];
  /**
   * Those of `identifiers` that are names only by their capital (`how a Functor maps`), by their
   * index term. They may be the name of the project, which is not specific within it.
   */
  readonly capitalised: ReadonlyMap<string, string>;
  /**
   * Endpoints that the query spells out, by `endpointName`. If the whole query is one name that
   * contains signs, it is that name. All are among `identifiers`.
   */
  readonly spelled: readonly string[];
}

const analyzedLately = remember(analyzed, MAX_CACHED_QUERIES);

/** Returns the analysis of a query. The steps of a search ask for it again, so it is cached. */
export function analyzeQuery(text: string): AnalyzedQuery {
  return text.length > MAX_CACHED_LENGTH ? analyzed(text) : analyzedLately(text);
}

function analyzed(text: string): AnalyzedQuery {
  const identifier = loneIdentifier(text);
  const embedded =
    identifier === undefined
      ? [EMBEDDED_IDENTIFIER, QUOTED_NAME].flatMap((pattern) =>
          Array.from(text.matchAll(pattern), ([name, quoted]) => quoted ?? name),
        )
      : [];
  const capitalised = identifier === undefined ? capitalisedWords(text) : new Map<string, string>();
  const names =
    identifier === undefined ? [...new Set([...embedded, ...capitalised.keys()])] : [identifier];
  const spelled = spelledOut(text);
  const words: string[] = [];
  scanWords(text, (word) => words.push(word));
  // No index has words of that length, but it may have the name's definition, and chunks that
  // mention its parts.
  for (const name of names) if (name.length > MAX_WORD) words.push(...splitIdentifier(name));
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const counts = new Map<string, number>();
  for (const word of telling) {
    for (const term of cachedWordTerms(word)) {
      if (counts.has(term) || counts.size < MAX_TERMS)
        counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return {
    text,
    saysNothing: words.length > 0 && telling.length === 0,
    terms: [...counts.keys()],
    frequencies: Uint8Array.from(counts.values(), (count) => Math.min(count, 255)),
    identifier,
    identifiers: [...new Set([...spelled, ...names, ...signedNames(text)])].slice(
      0,
      MAX_IDENTIFIERS,
    ),
    capitalised,
    spelled,
  };
}

function spelledOut(text: string): readonly string[] {
  const whole = text.trim();
  if (whole !== '' && whole === signedNames(whole)[0]) return [whole];
  const endpoints = Array.from(text.matchAll(ENDPOINT), ([, method, path = '']) =>
    endpointName(path, method),
  );
  if (endpoints.length > 0) return [...new Set(endpoints)].slice(0, MAX_SPELLED);
  const paths = Array.from(text.matchAll(ENDPOINT_PATH), ([, path = '']) => endpointName(path));
  return [...new Set(paths)].slice(0, MAX_SPELLED);
}

function signedNames(text: string): readonly string[] {
  return Array.from(text.matchAll(SIGNED_NAME), ([name]) => name);
}

function capitalisedWords(text: string): Map<string, string> {
  const words = Array.from(text.matchAll(CAPITALISED_WORD), ([word]) => word);
  return new Map(
    words
      .filter((word) => !STOP_WORDS.has(word.toLowerCase()))
      .map((word) => [word, cachedWordTerms(word)[0] ?? '']),
  );
}

/** Returns the last part of a text without white space that reads as a (qualified) name. */
function loneIdentifier(text: string): string | undefined {
  const trimmed = text.trim().replace(/\(\)$/, '');
  if (trimmed === '' || /\s/.test(trimmed)) return undefined;
  const last = trimmed.split(/::|\\|->|\.|#/).at(-1) ?? '';
  return /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u.test(last) ? last : undefined;
}
