import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { SourceList } from '#contracts/http/index';

import type { Route } from '../logic/route.js';
import { fieldTexts } from './form-fields.js';
import { goTo } from './hooks.js';
import { SourceOptions } from './source-options.js';

const MODES = [
  ['words', 'By meaning and words'],
  ['code', 'Exact text in code'],
  ['regex', 'Regular expression'],
] as const;

/** The query, the kind of search and its filters. */
export function SearchForm({
  route,
  sources,
}: {
  readonly route: Route;
  /** The first sources; a longer list is loaded when the filters are opened. */
  readonly sources: SourceList | undefined;
}): JSX.Element {
  const { params } = route;
  const form = useRef<HTMLFormElement>(null);
  const { q = '', mode = 'words', source = '', path = '', language = '', fresh = '' } = params;
  // A new address replaces what the fields show. The form stays, and the focus with it.
  useEffect(() => {
    showFields(form.current, { q, mode, source, path, language, fresh });
  }, [q, mode, source, path, language, fresh]);
  const filters = ['source', 'path', 'language', 'fresh'].filter((name) => params[name]);
  const [isOpen, setOpen] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    goTo(['search'], fieldTexts(event.currentTarget as HTMLFormElement));
  };
  return (
    <form class="search" role="search" onSubmit={submit} ref={form}>
      <div class="row grow">
        <input
          type="search"
          name="q"
          aria-label="Query"
          placeholder="A question, words or an identifier"
          defaultValue={params['q'] ?? ''}
          maxLength={2000}
          required
        />
        <select name="mode" aria-label="Kind of search">
          {MODES.map(([mode, title]) => (
            <option key={mode} value={mode} selected={mode === (params['mode'] ?? 'words')}>
              {title}
            </option>
          ))}
        </select>
        <button class="primary">Search</button>
      </div>
      <details open={filters.length > 0} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Filters{filters.length > 0 && ` (${filters.length})`}</summary>
        <div class="row">
          <SourceOptions first={sources} isOpen={isOpen} chosen={params['source']} />
          <label class="field">
            <span>Path (glob)</span>
            <input name="path" placeholder="src/**" defaultValue={params['path'] ?? ''} />
          </label>
          <label class="field">
            <span>Language</span>
            <input name="language" placeholder="python" defaultValue={params['language'] ?? ''} />
          </label>
          <label class="check">
            <input
              type="checkbox"
              name="fresh"
              value="1"
              defaultChecked={params['fresh'] === '1'}
            />
            Without stale results
          </label>
        </div>
      </details>
    </form>
  );
}

function showFields(form: HTMLFormElement | null, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === 'checkbox') {
      field.checked = value === field.value;
    } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = value;
    }
  }
}
