/** Returns the parameters of the address that open a citation in the reading pane. */
export function paneParams(citation: {
  readonly source_id: string;
  readonly path: string;
  readonly version_ref: string;
  readonly chunk_id?: string;
  readonly start_line?: number;
  readonly end_line?: number;
}): Record<string, string | number | undefined> {
  return {
    open: citation.source_id,
    file: citation.path,
    version: citation.version_ref,
    from: citation.start_line,
    to: citation.end_line,
    chunk: citation.chunk_id,
  };
}
