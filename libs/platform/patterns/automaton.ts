import type { TimeSlices } from '../concurrency/time-slices.js';

/** Enters a state by any character but `/`. */
export const ANY = 0x1_0000;

/** Characters on which a state stays active, next to the transition to its successor. */
export const Loop = {
  none: 0,
  /** All but `/`: `*` in a name. */
  name: 1,
  /** All. */
  always: 2,
  /** All, but the successor is entered at the beginning of a name only: `**` before a name. */
  folders: 3,
} as const;
export type Loop = (typeof Loop)[keyof typeof Loop];

export interface ChainState {
  /**
   * UTF-16 code unit, or {@link ANY}; ignored in the first state of a chain, which is active at the
   * beginning.
   */
  readonly enter: number;
  readonly loop: Loop;
}

/** A pattern as states in a row; it matches when its last state is active. */
export interface Chain {
  readonly states: readonly ChainState[];
  /** Reported by {@link Automaton.results} when the chain matches. */
  readonly result: number;
  /** Matches when the last state is active before the end of the text. */
  readonly early: boolean;
  /** Matches when the last state is active at the end of the text. */
  readonly atEnd: boolean;
}

/** Progress of one match. */
export interface AutomatonRun {
  /** Characters that were read. */
  at: number;
  nameStart: boolean;
  readonly active: Uint32Array;
  readonly shifted: Uint32Array;
  readonly accepted: Uint32Array;
}

const SLASH = 47;

/**
 * Matches many patterns at once with a bit for each state (Shift-And). A character costs one step
 * for each word of 32 states, whatever patterns and text are. The work is therefore `words` ×
 * characters, and there is no backtracking.
 */
export class Automaton {
  readonly words: number;
  /** Steps of all matches so far: words × characters. */
  steps = 0;

  private readonly initial: Uint32Array;
  private readonly entersByAny: Uint32Array;
  private readonly entersBySlash: Uint32Array;
  private readonly loopsInName: Uint32Array;
  private readonly loopsAlways: Uint32Array;
  /** States whose successor may be entered in the middle of a name. */
  private readonly leavesAnywhere: Uint32Array;
  private readonly early: Uint32Array;
  private readonly atEnd: Uint32Array;
  /** By character: pairs of a word and the states in it that the character enters. */
  private readonly entersBy = new Map<number, number[]>();
  private readonly resultOf = new Map<number, number>();
  private readonly earlyWords: readonly number[];

  /** @param acceptsAfter the characters after which a chain can match early: `/`, or all. */
  constructor(
    chains: readonly Chain[],
    private readonly acceptsAfter: 'slash' | 'all',
  ) {
    const states = chains.reduce((sum, chain) => sum + chain.states.length, 0);
    this.words = Math.max(1, Math.ceil(states / 32));
    const bits = (): Uint32Array => new Uint32Array(this.words);
    this.initial = bits();
    this.entersByAny = bits();
    this.entersBySlash = bits();
    this.loopsInName = bits();
    this.loopsAlways = bits();
    this.leavesAnywhere = bits().fill(0xffff_ffff);
    this.early = bits();
    this.atEnd = bits();
    let bit = 0;
    for (const chain of chains) bit = this.add(chain, bit);
    this.earlyWords = [...this.early.keys()].filter((word) => this.early[word] !== 0);
  }

  start(): AutomatonRun {
    const run = {
      at: 0,
      nameStart: true,
      active: this.initial.slice(),
      shifted: new Uint32Array(this.words),
      accepted: new Uint32Array(this.words),
    };
    this.acceptEarly(run);
    return run;
  }

  /** Reads the text up to `end`, which allows callers to divide the work. */
  advance(run: AutomatonRun, text: string, end: number): void {
    this.steps += this.words * Math.max(0, end - run.at);
    for (; run.at < end; run.at += 1) {
      const character = text.charCodeAt(run.at);
      this.step(run, character);
      const isLast = run.at === text.length - 1;
      if (!isLast && (character === SLASH || this.acceptsAfter === 'all')) this.acceptEarly(run);
    }
  }

  /** Results of the chains that match, once the whole text was read. */
  results({ active, accepted }: AutomatonRun): number[] {
    const found: number[] = [];
    for (let word = 0; word < this.words; word += 1) {
      let bits =
        ((active[word] as number) & (this.atEnd[word] as number)) | (accepted[word] as number);
      for (; bits !== 0; bits &= bits - 1) {
        found.push(this.resultOf.get(word * 32 + 31 - Math.clz32(bits & -bits)) as number);
      }
    }
    return found;
  }

  private step(run: AutomatonRun, character: number): void {
    const { active, shifted, nameStart } = run;
    const isSlash = character === SLASH;
    const enters = isSlash ? this.entersBySlash : this.entersByAny;
    const loops = isSlash ? this.loopsAlways : this.loopsInName;
    const { leavesAnywhere, words } = this;
    let carry = 0;
    for (let word = 0; word < words; word += 1) {
      const before = active[word] as number;
      if (before === 0 && carry === 0) {
        shifted[word] = 0;
        continue;
      }
      const leaving = nameStart ? before : before & (leavesAnywhere[word] as number);
      const moved = (leaving << 1) | carry;
      carry = leaving >>> 31;
      shifted[word] = moved;
      active[word] = (moved & (enters[word] as number)) | (before & (loops[word] as number));
    }
    const entries = isSlash ? undefined : this.entersBy.get(character);
    if (entries !== undefined) {
      for (let at = 0; at < entries.length; at += 2) {
        const word = entries[at] as number;
        active[word] =
          (active[word] as number) | ((shifted[word] as number) & (entries[at + 1] as number));
      }
    }
    run.nameStart = isSlash;
  }

  private acceptEarly({ active, accepted }: AutomatonRun): void {
    for (const word of this.earlyWords) {
      accepted[word] =
        (accepted[word] as number) | ((active[word] as number) & (this.early[word] as number));
    }
  }

  /** @returns the bit after the chain's last state. */
  private add({ states, result, early, atEnd }: Chain, first: number): number {
    let bit = first;
    for (const { enter, loop } of states) {
      if (bit === first) set(this.initial, bit);
      else if (enter === ANY) set(this.entersByAny, bit);
      else if (enter === SLASH) set(this.entersBySlash, bit);
      else this.enterBy(enter, bit);
      if (loop !== Loop.none) set(this.loopsInName, bit);
      if (loop === Loop.always || loop === Loop.folders) set(this.loopsAlways, bit);
      if (loop === Loop.folders) clear(this.leavesAnywhere, bit);
      bit += 1;
    }
    if (early) set(this.early, bit - 1);
    if (atEnd) set(this.atEnd, bit - 1);
    this.resultOf.set(bit - 1, result);
    return bit;
  }

  private enterBy(character: number, bit: number): void {
    const entries = this.entersBy.get(character) ?? [];
    if (entries.length === 0) this.entersBy.set(character, entries);
    const word = bit >>> 5;
    if (entries.at(-2) !== word) entries.push(word, 0);
    entries[entries.length - 1] = (entries.at(-1) as number) | (1 << (bit & 31));
  }
}

/** Steps of an automaton between two looks at the clock: a fraction of a millisecond. */
const BLOCK_STEPS = 65_536;

/**
 * Matches a text, and yields to the event loop whenever a slice is used up. @returns the results.
 */
export async function runSliced(
  automaton: Automaton,
  text: string,
  slices: TimeSlices,
  signal?: AbortSignal,
): Promise<readonly number[]> {
  const block = Math.max(1, Math.floor(BLOCK_STEPS / automaton.words));
  const run = automaton.start();
  while (run.at < text.length) {
    if (slices.isUsedUp) await slices.pause(signal);
    automaton.advance(run, text, Math.min(text.length, run.at + block));
  }
  return automaton.results(run);
}

function clear(bits: Uint32Array, bit: number): void {
  bits[bit >>> 5] = (bits[bit >>> 5] as number) & ~(1 << (bit & 31));
}

function set(bits: Uint32Array, bit: number): void {
  bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31));
}
