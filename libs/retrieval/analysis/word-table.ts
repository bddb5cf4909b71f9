const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16_777_619;
const FIRST_SLOTS = 512;
const BYTES_A_WORD = 8;

/**
 * Numbers words of ASCII texts from 0 up, without making a string of a known word. Grows with its
 * words.
 */
export class WordTable {
  /** Number of the word in each slot, plus one; 0 for an empty slot. Never more than half full. */
  private slots = new Int32Array(FIRST_SLOTS);
  private hashes = new Int32Array(FIRST_SLOTS / 2);
  /** Start of each word in `letters`, and of the next one. */
  private starts = new Uint32Array(FIRST_SLOTS / 2 + 1);
  private letters = new Uint8Array((FIRST_SLOTS / 2) * BYTES_A_WORD);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /**
   * Numbers a word. @returns the number of the word at the place; the former `size` for a new word
   */
  numberOf(text: string, from: number, to: number): number {
    let hash = FNV_OFFSET;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
    hash ^= hash >>> 15;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let word = this.slots[slot] as number; word !== 0; word = this.slots[slot] as number) {
      if (this.hashes[word - 1] === hash && this.is(word - 1, text, from, to)) return word - 1;
      slot = (slot + 1) & mask;
    }
    return this.add(slot, hash, text, from, to);
  }

  private is(word: number, text: string, from: number, to: number): boolean {
    const start = this.starts[word] as number;
    if ((this.starts[word + 1] as number) - start !== to - from) return false;
    for (let at = from, known = start; at < to; at++, known++) {
      if (text.charCodeAt(at) !== this.letters[known]) return false;
    }
    return true;
  }

  private add(slot: number, hash: number, text: string, from: number, to: number): number {
    const word = this.count++;
    const start = this.starts[word] as number;
    const end = start + to - from;
    if (end > this.letters.length)
      this.letters = grown(this.letters, new Uint8Array(Math.max(end, 2 * this.letters.length)));
    for (let at = from, letter = start; at < to; at++, letter++)
      this.letters[letter] = text.charCodeAt(at);
    this.starts[word + 1] = end;
    this.hashes[word] = hash;
    this.slots[slot] = word + 1;
    if (this.count * 2 === this.slots.length) this.grow();
    return word;
  }

  private grow(): void {
    this.hashes = grown(this.hashes, new Int32Array(this.slots.length));
    this.starts = grown(this.starts, new Uint32Array(this.slots.length + 1));
    this.slots = new Int32Array(2 * this.slots.length);
    const mask = this.slots.length - 1;
    for (let word = 0; word < this.count; word++) {
      let slot = (this.hashes[word] as number) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = word + 1;
    }
  }
}

function grown<T extends Uint8Array | Int32Array | Uint32Array>(old: T, room: T): T {
  room.set(old);
  return room;
}
