/** `feat(api)!: `, `[core] `: says of which kind a change is, not what it changes. */
const KIND = /^(\w+(\([^)]*\))?!?:|\[[^\]]*\])\s*/;
const PULL_REQUEST = /(?<!\s)\s*\(?#\d+\)?\.?$/;

/** A commit's subject without the kind of its change and the number of its pull request. */
export function plainSubject(subject: string): string {
  return subject.replace(PULL_REQUEST, '').replace(KIND, '');
}
