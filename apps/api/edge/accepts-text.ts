/** Reports whether a request prefers plain text to JSON. */
export function acceptsText(accept: string | undefined): boolean {
  const [first = ''] = (accept ?? '').split(/[,;]/);
  return first.trim().toLowerCase() === 'text/plain';
}
