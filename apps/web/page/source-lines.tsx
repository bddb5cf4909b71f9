import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { SourceFileView } from '#contracts/http/index';

import { type Identifier, identifierAt } from '../logic/identifiers.js';
import { blockOf, blocksOf, LINES_PER_BLOCK } from '../logic/line-blocks.js';
import { markTerms } from '../logic/mark-terms.js';
import { useLoad } from './hooks.js';

/** Distance to the visible part at which a block is loaded. */
const MARGIN = '800px';

interface LinesProps {
  readonly path: string;
  /** The cited lines, from 1. */
  readonly first: number;
  readonly last: number;
  readonly isCited: boolean;
  readonly terms: readonly string[];
  /** Number of lines of the document. */
  readonly total: number;
  /** The block that is already loaded, with its lines. */
  readonly start: number;
  readonly lines: readonly string[];
  readonly load: (block: number, signal: AbortSignal) => Promise<SourceFileView>;
  readonly onLook: (identifier: Identifier) => void;
}

/**
 * The lines of a document of any length. Blocks have their final height from the start and load
 * when they come near, so that the scroll bar stands for the whole document.
 */
export function SourceLines(props: LinesProps): JSX.Element {
  const { path, first, total, start, onLook } = props;
  const text = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (text.current) scrollToLine(text.current, first);
  }, [first]);
  const look = (event: MouseEvent) => {
    const identifier = clickedIdentifier(event);
    if (identifier) onLook(identifier);
  };
  return (
    <pre
      class="source-text"
      tabIndex={0}
      role="region"
      aria-label={`Lines of ${path}`}
      ref={text}
      onClick={look}
    >
      {blocksOf(total).map((length, block) => (
        <Block
          key={block}
          block={block}
          length={length}
          given={block === start ? props.lines : undefined}
          {...props}
        />
      ))}
    </pre>
  );
}

function Block({
  block,
  length,
  given,
  first,
  last,
  isCited,
  terms,
  load,
}: LinesProps & {
  readonly block: number;
  readonly length: number;
  readonly given: readonly string[] | undefined;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (given || isNear || !place.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { root: place.current.closest('.pane'), rootMargin: `${MARGIN} 0px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  const loaded = useLoad(isNear && !given ? `${block}` : null, (signal) => load(block, signal));
  const lines = given ?? loaded.data?.lines;
  return (
    <div class="block" ref={place} style={{ height: `${length}lh` }}>
      {loaded.error && (
        <button type="button" class="small" onClick={loaded.reload}>
          {loaded.error.message}. Try again
        </button>
      )}
      {lines?.slice(0, length).map((line, index) => {
        const number = block * LINES_PER_BLOCK + index + 1;
        const isMarked = isCited && number >= first && number <= last;
        return (
          <span key={number} class={isMarked ? 'line cited' : 'line'} data-line={number}>
            {markTerms(`${line}\n`, terms).map(({ text, isMatch }, at) =>
              isMatch ? <mark key={at}>{text}</mark> : text,
            )}
          </span>
        );
      })}
    </div>
  );
}

/** Shows a line below the head of the pane; its block need not be loaded. */
function scrollToLine(text: HTMLElement, line: number): void {
  const pane = text.closest<HTMLElement>('.pane');
  const block = text.children[blockOf(line)];
  if (!pane || !block) return;
  const height = block.getBoundingClientRect().height / Number(block.childElementCount || 1);
  const lineHeight = Number.parseFloat(getComputedStyle(text).lineHeight) || height;
  const top = block.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  const within = ((line - 1) % LINES_PER_BLOCK) * lineHeight;
  pane.scrollTop += top + within - pane.clientHeight / 3;
}

/** Returns the identifier at a click; null where there is none, or where text is selected. */
function clickedIdentifier(event: MouseEvent): Identifier | null {
  if (getSelection()?.isCollapsed === false) return null;
  const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
  const element = caret?.offsetNode.parentElement?.closest<HTMLElement>('[data-line]');
  if (!caret || !element) return null;
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(caret.offsetNode, caret.offset);
  const found = identifierAt(element.textContent, before.toString().length);
  return found && { ...found, line: Number(element.dataset['line']) };
}
