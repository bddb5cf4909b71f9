/**
 * Returns the path of the page for people as browsers see it, below the path of `PUBLIC_URL`
 * where there is one.
 */
export function webUiPath(publicUrl: string | undefined): string {
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return `${prefix}/ui/`;
}
