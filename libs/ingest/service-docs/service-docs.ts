import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the build puts the service's own documentation. */
const FOLDER = fileURLToPath(new URL('../../../service-docs', import.meta.url));

export interface ServiceDocument {
  /** As in the repository: `README.md`, `docs/chat.md`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Of its content. */
  readonly hash: string;
}

/** The documentation that this build of the service was shipped with. */
export interface ServiceDocs {
  /** The same as long as no document has changed. */
  readonly version: string;
  /** In path order. */
  readonly documents: readonly ServiceDocument[];
}

/** @throws where there is no such folder: the build was not whole. */
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
