import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { parseRoute, type Route, routeFragment } from '../logic/route.js';
import { ApiError } from './api.js';

/** Follows the place in the address. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useLayoutEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

/** Goes to another place. */
export function goTo(
  path: readonly string[],
  params?: Readonly<Record<string, string | number | undefined>>,
): void {
  location.hash = routeFragment(path, params);
}

/**
 * The state of a request. `data` keeps its last value while the next one is on its way. It also
 * keeps it next to an error if the request was repeated with the same key.
 */
export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Loads data when the key changes, and cancels the request of the key before. The request starts
 * before the browser paints: it is what the reader waits for.
 */
export function useLoad<Data>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Data>,
): Loaded<Data> {
  const [state, setState] = useState<{
    readonly key: string | null;
    readonly data: Data | undefined;
    /** The key that the data was loaded for. */
    readonly dataKey: string | null;
    readonly error: ApiError | null;
    readonly isLoading: boolean;
  }>({ key: null, data: undefined, dataKey: null, error: null, isLoading: key !== null });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useLayoutEffect(() => {
    if (key === null) {
      setState({ key, data: undefined, dataKey: null, error: null, isLoading: false });
      return undefined;
    }
    const controller = new AbortController();
    setState((before) => ({ ...before, key, error: null, isLoading: true }));
    latest.current(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        setState({ key, data, dataKey: key, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState(({ data, dataKey }) => {
          const kept = dataKey === key ? data : undefined;
          return { key, data: kept, dataKey, error: asApiError(error), isLoading: false };
        });
      },
    );
    return () => controller.abort();
  }, [key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, isLoading: state.isLoading || (key !== null && state.key !== key), reload };
}

/** Returns the error as the page shows errors. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(0, 'page_error', message, null);
}

/** Calls a function at intervals while the page is visible. */
export function useInterval(tick: () => void, milliseconds: number | null): void {
  const latest = useRef(tick);
  latest.current = tick;
  useEffect(() => {
    if (milliseconds === null) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
