/** `feat(api)!: `, `[core] `: the kind of a change, not its content. */
const KIND = /^(\w+(\([^)]*\))?!?:|\[[^\]]*\])\s*/;
const PULL_REQUEST = /(?<!\s)\s*\(?#\d+\)?\.?$/;

/** Returns a commit's subject without the kind of its change and the number of its pull request. */
export function plainSubject(subject: string): string {
  return subject.replace(PULL_REQUEST, '').replace(KIND, '');
}
