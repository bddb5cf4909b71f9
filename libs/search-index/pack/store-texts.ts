import type { PackedChunk } from './invert-chunks.js';
import { blockFrom, type StoredText, TextBlocksWriter, type WrittenBlock } from './text-blocks.js';

const SPAN = 3;

/**
 * Stores the texts of chunks in their order. If all texts of a part's block are consecutive here
 * too, the block is copied unchanged. Compression is the largest cost of a pack, and one thread
 * builds a pack while all threads build its parts.
 */
export function storeTexts(packed: readonly PackedChunk[]): StoredText {
  const writer = new TextBlocksWriter();
  const spans = new Uint32Array(packed.length * SPAN);
  for (let at = 0; at < packed.length;) {
    const { part, index } = packed[at] as PackedChunk;
    const length = part.stored?.spans[index * SPAN + 2];
    const block = length !== undefined && writer.begins(length) ? blockAt(packed, at) : undefined;
    if (!block) {
      spans.set(writer.add(part.textOf(index)), at * SPAN);
      at += 1;
      continue;
    }
    const number = writer.addBlock(block);
    for (let nth = 0; nth < block.texts; nth++, at++) {
      const own = part.stored?.spans.subarray(
        (index + nth) * SPAN,
        (index + nth + 1) * SPAN,
      ) as Uint32Array;
      spans.set([number, own[1] as number, own[2] as number], at * SPAN);
    }
  }
  return { spans, ...writer.finish() };
}

/**
 * Returns the block of its part that begins with a chunk, if its texts and the one after them have
 * the same order here.
 */
function blockAt(packed: readonly PackedChunk[], at: number): WrittenBlock | undefined {
  const { part, index } = packed[at] as PackedChunk;
  const block = part.stored && blockFrom(part.stored, index);
  if (!block) return undefined;
  for (let nth = 1; nth <= block.texts; nth++) {
    const next = packed[at + nth];
    if (next?.part !== part || next.index !== index + nth) return undefined;
  }
  return block;
}
