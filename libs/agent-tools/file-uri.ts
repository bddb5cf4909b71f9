/** Form of the address of a file at a version; every part is percent-encoded but the slashes. */
export const FILE_TEMPLATE = 'footnote://{source}/{version}/{+path}';
/** Form of the address of a receipt. */
export const RECEIPT_TEMPLATE = 'footnote://receipts/{receipt_id}';

/** A file of a version of a source. */
export interface FileAddress {
  /** Name, `owner/repo` or id of the source. */
  readonly source: string;
  readonly version: string;
  readonly path: string;
}

/** Returns the address of a file at a version. */
export function fileUri({ source, version, path }: FileAddress): string {
  const steps = path.split('/').map((step) => encodeURIComponent(step));
  return `footnote://${encodeURIComponent(source)}/${encodeURIComponent(version)}/${steps.join('/')}`;
}

/** Returns a part of an address decoded; null for a part with broken escapes. */
export function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
