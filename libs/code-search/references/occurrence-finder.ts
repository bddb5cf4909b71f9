import { componentParts, scriptsOnly } from '#ingest/chunk/component-parts';
import type { Grammars } from '#ingest/chunk/grammars';
import { LineTable } from '#ingest/chunk/line-table';
import type { SyntaxParser } from '#ingest/chunk/syntax-parser';

import { identifierNode, isImported } from './identifier-nodes.js';
import type { FileOccurrences, NamedFile, NameOccurrence } from './name-occurrence.js';
import { grammarOf, isComponent } from './parsed-languages.js';
import { placeAt, textOccurrences } from './text-occurrences.js';
import { wordPlaces } from './word-places.js';

/** Occurrences between two checks of the budget. */
const ASK_EVERY = 32;

/** Finds the identifiers with a name, by the syntax trees of files. Of one thread. */
export class OccurrenceFinder {
  constructor(
    private readonly grammars: Grammars,
    private readonly parser: SyntaxParser,
  ) {}

  /** @param file in a language with a grammar. */
  find({ text, language }: NamedFile, name: string): FileOccurrences {
    const lines = new LineTable(text);
    const grammar = this.grammars.get(grammarOf(language));
    if (!grammar) throw new Error(`There is no grammar for ${language}`);
    const source = isComponent(language) ? scriptsOnly(lines, componentParts(lines)) : text;
    const places = wordPlaces(source, name);
    const names = this.parser.parsed(source, grammar, (root, isUsedUp) => {
      const found: NameOccurrence[] = [];
      for (const [index, start] of places.entries()) {
        if (index % ASK_EVERY === 0 && isUsedUp()) break;
        const leaf = identifierNode(root, start, start + name.length);
        if (leaf) found.push({ ...placeAt(lines, start), isImport: isImported(leaf) });
      }
      return found;
    });
    return names
      ? { isParsed: true, names }
      : { isParsed: false, names: textOccurrences(source, name) };
  }
}
