/** What the index projection has recorded of a generation. */
export interface IndexedGeneration {
  readonly state: 'loading' | 'ready' | 'failed' | 'dropped';
  /** Chunks that the index has loaded. */
  readonly chunk_count: number;
  /** Why it cannot be loaded, when it failed; what is missing of its content, when the index has it all the same. */
  readonly message?: string | null;
}

/** The read model's word on which generations the index has. */
export interface IndexedGenerations {
  /** @returns null while nothing is recorded. */
  state(tenantId: string, sourceId: string, generation: number): Promise<IndexedGeneration | null>;
  /** Calls back when some row may have changed; a call may be lost. @returns a way to stop it. */
  onChange?(listener: () => void): () => void;
}
