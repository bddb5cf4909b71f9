import type { GenerationEvent } from '#contracts';

export type DropReason = GenerationEvent['data']['reason'];

export interface DropGeneration {
  readonly type: 'DropGeneration';
  readonly data: { readonly source_id: string; readonly generation: number; readonly reason: DropReason };
}

export type GenerationCommand = DropGeneration;
