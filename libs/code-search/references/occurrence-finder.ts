import { componentParts, scriptsOnly } from '#ingest/chunk/component-parts';
import type { Grammars } from '#ingest/chunk/grammars';
import { LineTable } from '#ingest/chunk/line-table';
import type { SyntaxParser } from '#ingest/chunk/syntax-parser';

import { scopeRulesOf } from './languages/scope-rules.js';
import type { FileOccurrences, NamedFile } from './name-occurrence.js';
import { NameScopes } from './name-scopes.js';
import { grammarOf, isComponent } from './parsed-languages.js';
import { textOccurrences } from './text-occurrences.js';

/** Finds the identifiers with a name, by the syntax trees of files. Of one thread. */
export class OccurrenceFinder {
  constructor(
    private readonly grammars: Grammars,
    private readonly parser: SyntaxParser,
  ) {}

  /** @param file in a language with a grammar. */
  find({ text, language }: NamedFile, name: string): FileOccurrences {
    const lines = new LineTable(text);
    const parsedAs = grammarOf(language);
    const grammar = this.grammars.get(parsedAs);
    if (!grammar) throw new Error(`There is no grammar for ${language}`);
    const source = isComponent(language) ? scriptsOnly(lines, componentParts(lines)) : text;
    const rules = scopeRulesOf(parsedAs);
    const found = this.parser.parsed(source, grammar, (root, isUsedUp) => {
      const scopes = new NameScopes({ root, text: source, lines, rules, isUsedUp });
      return { names: scopes.occurrences(name), passedOn: rules?.passedOn?.(root) ?? [] };
    });
    return found
      ? { isParsed: true, ...found }
      : { isParsed: false, names: textOccurrences(source, name), passedOn: [] };
  }
}
