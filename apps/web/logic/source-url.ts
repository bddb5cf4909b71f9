/**
 * Returns what is wrong with the address of a new source while it is typed; undefined for a
 * plausible or empty one. The service checks it again.
 */
export function sourceUrlProblem(kind: string, url: string): string | undefined {
  const text = url.trim();
  if (text === '') return undefined;
  if (kind === 'repo' && /^[\w.-]+@[\w.-]+:\S+$/.test(text)) return undefined;
  if (!URL.canParse(text)) return 'Must be a complete address, such as https://example.com/docs';
  const { protocol, username, password } = new URL(text);
  if (username !== '' || password !== '') {
    if (protocol !== 'ssh:') return 'Must not contain credentials; use the field for them';
  }
  const schemes =
    kind === 'repo' ? ['https:', 'http:', 'ssh:', 'file:'] : ['https:', 'http:', 'file:'];
  return schemes.includes(protocol) ? undefined : `Must begin with ${schemes[0]}//`;
}

/** Returns a name for the source at an address: its last part that says something. */
export function sourceName(url: string): string {
  const words = url
    .trim()
    .split(/[?#]/, 1)[0]
    ?.split(/[/:]/)
    .map((part) => part.replace(/\.(?:git|json|ya?ml|pdf|html?)$/u, ''))
    .filter((part) => part !== '');
  return (words?.at(-1) ?? 'Source').slice(0, 200);
}
