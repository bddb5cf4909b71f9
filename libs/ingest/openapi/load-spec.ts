import { upgrade } from '@scalar/openapi-upgrader';
import type { Document } from 'yaml';

import { isObject, type JsonObject, objectOf, textOf } from './json.js';
import { membersOfJson, membersOfObject, type SpecMember } from './spec-members.js';
import { NOTHING_REMEMBERED, type SpecMemory } from './spec-memory.js';
import { SpecProblem } from './spec-problem.js';
import { yamlLibrary } from './yaml-library.js';

/** Most growth of a YAML document by aliases; a document that grows more is a bomb. */
const MAX_ALIASES = 100;
/** Most bytes of YAML: it is parsed at about 2 MB a second and takes some fifty times its size. */
const MAX_YAML_BYTES = 16 * 1024 * 1024;
/**
 * Most tokens of YAML; they are counted before the text is parsed. For three dense shapes of YAML,
 * 2 MiB each, reading a million tokens took 210 to 490 MB. By extrapolation this many stay within
 * the thread's heap; no specification at the bound was read.
 */
export const MAX_YAML_TOKENS = 2_500_000;

export interface LoadedSpec {
  /** Content as written, in any dialect. */
  readonly members: readonly SpecMember[];
  /** Dialect of the specification: `OpenAPI 3.0.3`, `Swagger 2.0`. */
  readonly dialect: string;
  /** `info.version` as it is spelled. */
  readonly version: string | undefined;
}

/**
 * Reads a specification, JSON or YAML, of Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2. @param known
 * texts of the previous reading: pieces in JSON that have not changed are not parsed. @throws
 * SpecProblem that names what the document is instead.
 */
export function loadSpec(
  bytes: Uint8Array,
  known: SpecMemory['texts'] = NOTHING_REMEMBERED.texts,
): LoadedSpec {
  const { members, version } = contentOf(bytes, known);
  const valueOf = (name: string) => members.find(({ key }) => key === name)?.value();
  const dialect = dialectOf(valueOf('openapi'), valueOf('swagger'));
  return { members, dialect, version: version ?? textOf(objectOf(valueOf('info'))['version']) };
}

function contentOf(
  bytes: Uint8Array,
  known: SpecMemory['texts'],
): Pick<LoadedSpec, 'members' | 'version'> {
  const members = membersOfJson(bytes, known);
  if (members) return { members, version: undefined };
  const text = decode(bytes);
  const { value, version } = text.startsWith('{')
    ? { value: parseJson(text), version: undefined }
    : parseYaml(text);
  if (!isObject(value))
    throw new SpecProblem('is not an OpenAPI specification: it is no object with an openapi field');
  return { members: membersOfObject(value), version };
}

/**
 * Returns the specification, or a selection of its parts, as OpenAPI 3.1. The argument is not
 * usable afterwards.
 */
export function upgraded(written: JsonObject): JsonObject {
  return upgrade({ ...written }, '3.1');
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw new SpecProblem('is neither JSON nor YAML: it is not text in UTF-8');
  }
  if (text === '') throw new SpecProblem('is empty');
  if (text.startsWith('<')) {
    throw new SpecProblem('is a page of HTML or XML; give the URL of the JSON or YAML file itself');
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new SpecProblem(`is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

function parseYaml(text: string): {
  readonly value: unknown;
  readonly version: string | undefined;
} {
  if (text.length > MAX_YAML_BYTES) {
    throw new SpecProblem(
      `has more than ${MAX_YAML_BYTES / 1024 / 1024} MiB of YAML; publish it as JSON`,
    );
  }
  boundTokens(text);
  const { isScalar, LineCounter, parseDocument } = yamlLibrary();
  const lines = new LineCounter();
  // The library compares each key of a map with every other one; `repeatedKey` checks each once.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
    uniqueKeys: false,
  });
  const [error] = document.errors;
  const invalid = (message: string, at: number): SpecProblem => {
    const { line, col } = lines.linePos(at);
    return new SpecProblem(
      `is not valid YAML: ${message.slice(0, 200)} (line ${line}, column ${col})`,
    );
  };
  if (error) throw invalid(error.message, error.pos[0]);
  const repeated = repeatedKey(document);
  if (repeated !== undefined) throw invalid('Map keys must be unique', repeated);
  try {
    const version = document.getIn(['info', 'version'], true);
    // `1.10` is the text as written, not the number 1.1.
    return {
      value: document.toJS({ maxAliasCount: MAX_ALIASES }),
      version: isScalar(version) ? textOf(version.source) : undefined,
    };
  } catch (cause) {
    throw new SpecProblem(`is not valid YAML: ${(cause as Error).message.slice(0, 200)}`);
  }
}

/**
 * Rejects text with more tokens than can be read, as soon as that many are counted. @throws
 * SpecProblem
 */
export function boundTokens(text: string): void {
  const { Lexer } = yamlLibrary();
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += token === '' ? 0 : 1;
    if (tokens <= MAX_YAML_TOKENS) continue;
    throw new SpecProblem(`has more than ${MAX_YAML_TOKENS} tokens of YAML; publish it as JSON`);
  }
}

/** Returns the place where a map names a key for the second time, if there is one. */
function repeatedKey(document: Document.Parsed): number | undefined {
  const { isScalar, visit } = yamlLibrary();
  let found: number | undefined;
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue;
        if (keys.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

function dialectOf(openapi: unknown, swagger: unknown): string {
  const version = textOf(openapi) ?? textOf(swagger);
  if (version === undefined) {
    throw new SpecProblem(
      'is not an OpenAPI specification: it has neither an openapi nor a swagger field',
    );
  }
  // YAML reads `swagger: 2.0` as the number 2.
  if (openapi === undefined && /^2(\.0)?$/.test(version)) return 'Swagger 2.0';
  if (openapi !== undefined && /^3\.[012](\.|$)/.test(version)) return `OpenAPI ${version}`;
  const field = openapi === undefined ? 'Swagger' : 'OpenAPI';
  throw new SpecProblem(
    `is ${field} ${version.slice(0, 20)}; Swagger 2.0 and OpenAPI 3.0 to 3.2 can be read`,
  );
}
