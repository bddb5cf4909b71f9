/** Returns a release as people write it: `npm react 19.0.0`. */
export function packageKey(release: {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}): string {
  return `${release.ecosystem} ${release.name} ${release.version}`;
}
