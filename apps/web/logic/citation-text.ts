/** The fields of a citation that name its place. */
export interface CitedPlace {
  readonly source_name: string;
  readonly path: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly version_ref: string;
}

/** Returns `path:10-20`, or the path alone where the passage has no lines. */
export function placeText({ path, start_line, end_line }: CitedPlace): string {
  if (start_line === undefined) return path;
  return end_line === undefined || end_line === start_line
    ? `${path}:${start_line}`
    : `${path}:${start_line}-${end_line}`;
}

/** Returns the first twelve digits of a commit, and any other version as it is. */
export function shortVersion(version: string): string {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(version) ? version.slice(0, 12) : version;
}

/** Returns a citation for prose: `Flask, src/app.py:10-20 at 22c8c4e3f0aa`. */
export function citationText(place: CitedPlace): string {
  return `${place.source_name}, ${placeText(place)} at ${shortVersion(place.version_ref)}`;
}

/** Returns a citation as a Markdown link. */
export function citationMarkdown(place: CitedPlace, address: string): string {
  const label = citationText(place).replace(/[\\[\]`*_<]/g, '\\$&');
  return `[${label}](<${address.replace(/[<>]/g, encodeURIComponent)}>)`;
}
