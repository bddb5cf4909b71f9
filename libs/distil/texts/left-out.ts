const FOLDERS = /(^|\/)(vendor|third_party|node_modules|locales?|testdata|fixtures)\//;

/**
 * Whether a path is in a folder of others' code or of data, which says nothing of how a team
 * writes.
 */
export function isLeftOut(path: string): boolean {
  return FOLDERS.test(path);
}
