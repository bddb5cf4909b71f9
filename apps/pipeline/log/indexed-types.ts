/**
 * The event types that change the search index. Its projection has caught up once it is past the
 * newest of them.
 */
export const INDEXED_TYPES: ReadonlySet<string> = new Set([
  'JobStaged',
  'GenerationDropped',
  'SourceRemoved',
]);
