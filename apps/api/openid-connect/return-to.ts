import { validationFailed } from '#contracts';

const MAX = 512;

/**
 * Returns a path of this service for the redirect after a sign-in; the root by default. Rejects
 * paths that a browser might take for another host.
 * @throws FootnoteError `validation_failed`
 */
export function returnTo(given: string | undefined): string {
  if (given === undefined) return '/';
  if (given.length <= MAX && isLocalPath(given)) return given;
  throw validationFailed([
    {
      field: 'return_to',
      message: `must be a path of this service, such as /docs, with at most ${MAX} characters`,
    },
  ]);
}

/**
 * Browsers read a backslash as a slash, and leave out tabs and line breaks: only plain visible
 * ASCII can be judged as it looks.
 */
function isLocalPath(text: string): boolean {
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return false;
  return (
    URL.canParse(text, 'https://here.invalid') &&
    new URL(text, 'https://here.invalid').host === 'here.invalid'
  );
}
