import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { exactTime, inWords, relativeTime } from '../logic/relative-time.js';
import type { ApiError } from './api.js';

/** An error: its sentence, its code, the ID to report and a way to try again. */
export function ErrorBox({
  error,
  onRetry,
}: {
  readonly error: ApiError;
  readonly onRetry?: (() => void) | undefined;
}): JSX.Element {
  const wait = error.retryAfterSeconds;
  return (
    <div class="box error" role="alert">
      <p>
        <strong>{headline(error)}</strong> {error.message}
        {error.status === 429 && wait !== null && `; free again ${inWords(wait)}`}
      </p>
      {error.fields.length > 0 && (
        <ul>
          {error.fields.map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="meta">
        <code>{error.code}</code>
        {error.requestId !== null && (
          <>
            {' · request '}
            <code>{error.requestId}</code> <CopyButton text={error.requestId} label="Copy ID" />
          </>
        )}
      </p>
      {onRetry && !isGone(error) && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function headline(error: ApiError): string {
  const { status, code } = error;
  if (status === 0) return 'No connection.';
  if (code === 'quota_exceeded') return 'The plan is used up.';
  if (code === 'role_missing' || code === 'scope_missing') return 'No permission.';
  if (isGone(error)) return 'Gone.';
  if (status === 503) return 'A part of the service is away.';
  return 'This did not work.';
}

/** Returns whether the thing is gone for good: another try is of no use. */
export function isGone({ status }: ApiError): boolean {
  return status === 404 || status === 410;
}

/** Copies a text and reports it to the eye and to screen readers. */
export function CopyButton({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): JSX.Element {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      <span aria-live="polite">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Not allowed' : label}
      </span>
    </button>
  );
}

/** A time in words, with the exact time as its title. */
export function When({ time }: { readonly time: string }): JSX.Element {
  return (
    <time dateTime={time} title={exactTime(time)}>
      {relativeTime(time, Date.now())}
    </time>
  );
}

/** The place of content that is on its way; it keeps the height of the page. */
export function Loading({ label }: { readonly label: string }): JSX.Element {
  return (
    <p class="loading" role="status">
      {label}
    </p>
  );
}

/** The way back to the list that a page belongs to. */
export function BackLink({
  place,
  children,
}: {
  /** Place of the list, such as `sources`. */
  readonly place: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <p>
      <a href={`#/${place}`}>
        <span aria-hidden="true">‹ </span>
        {children}
      </a>
    </p>
  );
}

/** The title of a page; receives the focus when the page opens. */
export function PageTitle({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the browser paints: the page is never shown without a focus.
  useLayoutEffect(() => {
    document.title = `${heading.current?.textContent ?? ''} · Footnote`;
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** A labeled field of a form. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
      {error !== undefined && (
        <small class="problem" role="alert">
          {error}
        </small>
      )}
    </label>
  );
}

/** A word about a state, with a sign so that color is not needed to read it. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}): JSX.Element {
  const sign = { good: '✓', warn: '!', bad: '✕', plain: '·' }[tone];
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{sign}</span> {children}
    </span>
  );
}

/** Opens a native dialog while it is shown; Escape closes it, and the focus goes back. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  // A later clean-up would find the dialog removed, and the browser could not return the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} onCancel={onClose} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** A name and its value in a list of facts. */
export function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A table that scrolls by itself where the page is narrower. */
export function WideTable({
  of,
  children,
}: {
  /** Content of the table, for screen readers. */
  readonly of: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Table of ${of}`}>
      <table class="wide">{children}</table>
    </div>
  );
}
