const FOLDERS = /(^|\/)(vendor|third_party|node_modules|locales?|testdata|fixtures)\//;

/**
 * Reports whether a path is in a folder of third-party code or of data, which does not show how a
 * team writes.
 */
export function isLeftOut(path: string): boolean {
  return FOLDERS.test(path);
}
