import type { JSX } from 'preact';

import type { ChatCitationView } from '#contracts/http/index';

import { answerBlocks, type AnswerPiece } from '../logic/answer-text.js';
import { placeText, shortVersion } from '../logic/citation-text.js';

interface AnswerProps {
  readonly text: string;
  readonly citations: readonly ChatCitationView[];
  readonly onOpen: (citation: ChatCitationView) => void;
}

/** An answer as text; its marks are buttons that open the cited passage. */
export function Answer({ text, citations, onOpen }: AnswerProps): JSX.Element {
  const pieces = (all: readonly AnswerPiece[]) =>
    all.map((piece, index) => {
      if (piece.kind !== 'mark') {
        return piece.kind === 'code' ? <code key={index}>{piece.text}</code> : piece.text;
      }
      const citation = citations.find(({ number }) => number === piece.number);
      return citation ? (
        <button
          key={index}
          type="button"
          class="mark"
          aria-label={`Citation ${piece.number}: ${placeText(citation)}`}
          onClick={() => onOpen(citation)}
        >
          [{piece.number}]
        </button>
      ) : (
        `[${piece.number}]`
      );
    });
  return (
    <div class="answer">
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
      {citations.length > 0 && (
        <details>
          <summary>{citations.length} citations</summary>
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
