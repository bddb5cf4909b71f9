import type { NameOccurrence } from '#code-search';
import type { ChunkDefinition } from '#contracts';
import type { ReferenceView } from '#contracts/http/index';
import { redactUrls } from '#ingest/redact/redact-urls';
import type { TimeSlices } from '#platform';
import type { SearchIndex } from '#search-index';

import { citedPath } from '../cited-path.js';
import { citedUrl } from '../repository-pages.js';
import type { ReferencedFile } from './reference-scan.js';

/** Returns what an answer shows of the occurrences of a file; pauses between them when due. */
export async function referenceViews(
  index: SearchIndex,
  { file, names }: ReferencedFile,
  slices: TimeSlices,
): Promise<readonly ReferenceView[]> {
  if (names.length === 0) return [];
  const { source, isStale } = file.scoped;
  const { definitions } = await index.outline(source, file.path);
  const cited = citedPath(file.path, false);
  const lines = new Map(file.lines.map((line) => [line.number, line]));
  const views: ReferenceView[] = [];
  for (const name of names) {
    if (slices.isUsedUp) await slices.pause();
    const defined = definitions.find((each) => isAt(each, name));
    const url = citedUrl(source, {
      path: cited,
      version_ref: source.versionRef,
      start_line: name.line,
    });
    const shown = lines.get(name.line);
    views.push({
      kind: defined || name.isDefinition ? 'definition' : name.isImport ? 'import' : 'reference',
      precision: name.precision,
      source_id: source.sourceId,
      source_name: source.name,
      path: cited,
      version_ref: source.versionRef,
      language: file.language,
      ...(url !== undefined && { url: redactUrls(url) }),
      is_stale: isStale,
      line: name.line,
      column: name.column,
      text: shown?.text ?? '',
      ...(shown?.clipped && { clipped: true }),
      symbol: enclosing(definitions, name, defined)?.symbol ?? null,
    });
  }
  return views;
}

function isAt({ place }: ChunkDefinition, { line, column }: NameOccurrence): boolean {
  return place?.line === line && place.column === column;
}

/** Returns the innermost definition around an occurrence other than the one that it names. */
function enclosing(
  definitions: readonly ChunkDefinition[],
  { line }: NameOccurrence,
  own: ChunkDefinition | undefined,
): ChunkDefinition | undefined {
  let innermost: ChunkDefinition | undefined;
  for (const each of definitions) {
    const first = each.place?.line ?? each.start_line;
    const last = each.place?.last_line ?? each.end_line;
    if (each === own || each.place?.kind === 'property' || first > line || last < line) continue;
    const start = innermost?.place?.line ?? innermost?.start_line ?? 0;
    if (first >= start) innermost = each;
  }
  return innermost;
}
