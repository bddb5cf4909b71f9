import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder in which the build puts the service's own documentation. */
const FOLDER = fileURLToPath(new URL('../../../service-docs', import.meta.url));

export interface ServiceDocument {
  /** Path as in the repository: `README.md`, `docs/chat.md`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Hash of its content. */
  readonly hash: string;
}

/** The documentation that this build of the service was shipped with. */
export interface ServiceDocs {
  /** Version; the same as long as no document changes. */
  readonly version: string;
  /** In path order. */
  readonly documents: readonly ServiceDocument[];
}

/**
 * Reads the documentation of this build. @throws if the folder does not exist: the build is
 * incomplete.
 */
export async function readServiceDocs(folder = FOLDER): Promise<ServiceDocs> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'));
  const documents = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const bytes = await readFile(file);
      return {
        path: file.slice(folder.length + 1).replaceAll('\\', '/'),
        bytes,
        hash: digest(bytes),
      };
    }),
  );
  documents.sort((a, b) => (a.path < b.path ? -1 : 1));
  const listed = documents.map(({ path, hash }) => `${path}\0${hash}\n`).join('');
  return { version: digest(listed).slice(0, 16), documents };
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
