import type { MessagePort } from 'node:worker_threads';

import type { LocalModelAddress } from '#models';
import type { BuiltPack } from '#search-index';
import type { PackedTrigrams } from '#search-index/pack/trigrams/pack-trigrams';

/** A base pack as the index task sees it. */
export interface BasePackInput {
  readonly bytes: Uint8Array;
  /** Bitmap of the chunks that the new generation no longer has; null when it has all. */
  readonly dropped: Uint8Array | null;
  /** Chunk ranges of documents that changed or went away, for the comparison. */
  readonly affected: readonly { readonly first: number; readonly chunks: number }[];
}

/**
 * Changes between the base and the new generation, chunk by chunk by location (path and ordinal).
 */
export interface ChunkChanges {
  readonly chunks_created: number;
  readonly chunks_updated: number;
  readonly chunks_deleted: number;
}

/** The documents of a part that a task carries out: all that fit into one turn in its thread. */
export interface PartSlice {
  /** Index of the document to begin with. Default 0. */
  readonly from?: number;
  /** Indexes of documents that a thread was caught in. */
  readonly stuck?: readonly number[];
}

/** Until where a task came. */
export interface SliceEnd {
  /** Index of the document that the next turn begins with; null where the part is done. */
  readonly next: number | null;
}

/** Results of the steps of a part, each without its bytes but for the last one. */
export interface PreparedOutput {
  readonly parse: Omit<StageTasks['parse']['output'], 'bytes' | 'next'> & {
    /** Bytes of the text part, not compressed. */
    readonly size: number;
  };
  readonly chunk: Omit<StageTasks['chunk']['output'], 'bytes' | 'next'> & {
    /** Bytes of the chunk part, not compressed. */
    readonly size: number;
  };
  /** The analyzed part, with vectors. */
  readonly bytes: Uint8Array;
}

/**
 * The CPU-heavy steps, by name: what goes into a worker thread and what comes out. Bytes are moved,
 * not copied.
 */
export interface StageTasks {
  parse: {
    /** A document that a thread was caught in is left out. */
    readonly input: PartSlice & { readonly bytes: Uint8Array };
    readonly output: SliceEnd & {
      readonly bytes: Uint8Array;
      readonly parsed: number;
      readonly skipped: readonly { readonly path: string; readonly reason: string }[];
      /** Number of secrets of each kind that a marker now replaces. */
      readonly redacted: Readonly<Record<string, number>>;
    };
  };
  chunk: {
    /** A document that a thread was caught in is cut by lines, whatever it is written in. */
    readonly input: PartSlice & {
      readonly bytes: Uint8Array;
      readonly tenantId: string;
      readonly sourceId: string;
    };
    readonly output: SliceEnd & {
      readonly bytes: Uint8Array;
      readonly chunks: number;
      /** Documents that a grammar could not be used for in time and that were cut by lines. */
      readonly byLines: number;
    };
  };
  analyze: {
    readonly input: {
      readonly bytes: Uint8Array;
      /** Null when the vectors come from elsewhere. */
      readonly model: LocalModelAddress | null;
    };
    readonly output: { readonly bytes: Uint8Array; readonly chunks: number };
  };
  /** Parse, chunk and analyze of one part, ahead of their stages. */
  prepare: {
    readonly input: {
      /** A part of the fetch stage. */
      readonly bytes: Uint8Array;
      readonly tenantId: string;
      readonly sourceId: string;
      readonly model: LocalModelAddress;
    };
    /** Null if a step needs more than one turn. */
    readonly output: PreparedOutput | null;
  };
  pack: {
    readonly input: {
      readonly parts: readonly Uint8Array[];
      readonly meta: {
        readonly tenant_id: string;
        readonly source_id: string;
        readonly analyzer: string;
        readonly embedder: { readonly id: string; readonly dimensions: number };
      };
      readonly base: readonly BasePackInput[];
      /** Put what survives of the base into the new pack as well. */
      readonly merge: boolean;
      /**
       * Receives the trigrams of the parts from another thread, or null. Without a port, the task
       * computes them.
       */
      readonly trigrams?: MessagePort;
    };
    readonly output: {
      /** Null when there is not a single chunk to put into it. */
      readonly pack: BuiltPack | null;
      readonly changes: ChunkChanges;
    };
  };
  /** The trigrams of the pack that these parts are built into, at the same time. */
  trigrams: {
    readonly input: { readonly parts: readonly Uint8Array[] };
    readonly output: PackedTrigrams;
  };
}

export type StageTaskName = keyof StageTasks;

export interface StageTaskRequest<Name extends StageTaskName = StageTaskName> {
  readonly name: Name;
  readonly input: StageTasks[Name]['input'];
}

/** The implementation of each task. */
export type StageTaskTable = {
  readonly [Name in StageTaskName]: (
    input: StageTasks[Name]['input'],
  ) => StageTasks[Name]['output'] | Promise<StageTasks[Name]['output']>;
};

/** The start data of a worker thread. */
export interface StageWorkerData {
  readonly grammarsDirectory: string;
  /** Memory of the thread's `CurrentDocument`. */
  readonly current: SharedArrayBuffer;
}
