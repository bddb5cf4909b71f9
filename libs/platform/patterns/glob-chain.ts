import { ANY, type Chain, type ChainState, Loop } from './automaton.js';

const DEEP = '**';
const SLASH = '/'.charCodeAt(0);

/**
 * Returns the names between the slashes; several slashes in a row, as after `https:`,
 * count as one.
 */
export function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/**
 * Translates one alternative of a glob. Its automaton reads the names of a path, each with a `/`
 * behind it. An early match is one of a folder above, and a match at the end one of the path
 * itself.
 */
export function globChain(alternative: string, result: number): Chain {
  const folderOnly = alternative.endsWith('/');
  const parts = namesOf(alternative);
  const anchored = alternative.startsWith('/') || parts.length > 1;
  const below = folderOnly || !anchored || !/[*?]/.test(parts.at(-1) ?? '');
  return {
    states: statesOf(anchored ? parts : [DEEP, ...parts]),
    result,
    early: below,
    atEnd: !folderOnly,
  };
}

function statesOf(parts: readonly string[]): readonly ChainState[] {
  const states: ChainState[] = [{ enter: SLASH, loop: Loop.none }];
  const loop = (wanted: Loop): void => {
    const { enter, loop: current } = states.at(-1) as ChainState;
    states[states.length - 1] = { enter, loop: joined(current, wanted) };
  };
  // A final `**` requires a name below its folder, as `**` + `/*` does.
  for (const part of parts.at(-1) === DEEP ? [...parts, '*'] : parts) {
    if (part === DEEP) {
      loop(Loop.folders);
      continue;
    }
    for (let at = 0; at < part.length; at += 1) {
      if (part[at] === '*') loop(Loop.name);
      else states.push({ enter: part[at] === '?' ? ANY : part.charCodeAt(at), loop: Loop.none });
    }
    states.push({ enter: SLASH, loop: Loop.none });
  }
  return states;
}

/** `**` and then a `*` at the beginning of a name allow the rest of the name to begin anywhere. */
function joined(current: Loop, wanted: Loop): Loop {
  if (wanted === Loop.name)
    return current === Loop.folders || current === Loop.always ? Loop.always : Loop.name;
  return wanted;
}
