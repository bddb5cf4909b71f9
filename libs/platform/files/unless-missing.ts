/** Returns the result of work on a file or folder, or null if that does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
