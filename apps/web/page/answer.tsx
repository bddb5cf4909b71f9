import type { JSX } from 'preact';

import type { ChatCitationView } from '#contracts/http/index';

import { answerBlocks, type AnswerPiece } from '../logic/answer-text.js';
import { placeText, shortVersion } from '../logic/citation-text.js';
import { counted } from '../logic/counted.js';

interface AnswerProps {
  readonly text: string;
  readonly citations: readonly ChatCitationView[];
  readonly onOpen: (citation: ChatCitationView) => void;
}

/** An answer of the chat; its marks are buttons that open the cited passage. */
export function Answer({ text, citations, onOpen }: AnswerProps): JSX.Element {
  return (
    <div class="answer">
      <AnswerText
        text={text}
        placeOf={(number) => {
          const citation = citations.find((each) => each.number === number);
          return citation && { label: placeText(citation), open: () => onOpen(citation) };
        }}
      />
      {citations.length > 0 && (
        <details>
          <summary>{counted(citations.length, 'citation')}</summary>
          <ol class="citations">
            {citations.map((citation) => (
              <li key={citation.number} value={citation.number}>
                <button type="button" class="link" onClick={() => onOpen(citation)}>
                  {citation.source_name}, {placeText(citation)}
                </button>{' '}
                <span class="meta">{shortVersion(citation.version_ref)}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

/** The place that a mark opens. */
interface MarkedPlace {
  readonly label: string;
  readonly open: () => void;
}

/** The text of an answer. A mark without a place stays text. */
export function AnswerText({
  text,
  placeOf,
}: {
  readonly text: string;
  readonly placeOf: (mark: number) => MarkedPlace | undefined;
}): JSX.Element {
  const pieces = (all: readonly AnswerPiece[]) =>
    all.map((piece, index) => {
      if (piece.kind !== 'mark') {
        return piece.kind === 'code' ? <code key={index}>{piece.text}</code> : piece.text;
      }
      const place = placeOf(piece.number);
      return place ? (
        <button
          key={index}
          type="button"
          class="mark"
          aria-label={`Citation ${piece.number}: ${place.label}`}
          onClick={place.open}
        >
          [{piece.number}]
        </button>
      ) : (
        `[${piece.number}]`
      );
    });
  return (
    <>
      {answerBlocks(text).map((block, index) => {
        if (block.kind === 'code') {
          return (
            <pre key={index} tabIndex={0} aria-label="Quoted code">
              <code>{block.text}</code>
            </pre>
          );
        }
        if (block.kind === 'list') {
          return (
            <ul key={index}>
              {block.items.map((item, at) => (
                <li key={at}>{pieces(item)}</li>
              ))}
            </ul>
          );
        }
        if (block.kind === 'heading') return <h3 key={index}>{pieces(block.pieces)}</h3>;
        if (block.kind === 'quote') {
          return <blockquote key={index}>{pieces(block.pieces)}</blockquote>;
        }
        return <p key={index}>{pieces(block.pieces)}</p>;
      })}
    </>
  );
}
