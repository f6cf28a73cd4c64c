/** Where the reader is. The app at `/` keeps it in the address of the page, an embedded panel in memory. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePanel } from '../context.ts';
import { fragmentOf, INBOX, type NamesOfRoutes, type Route, routeOf } from './routes.ts';

export interface Router {
  readonly route: Route;
  /** Grows with each navigation: also when the same view is opened again. */
  readonly visit: number;
  /** Undefined: the address of the page leads to no view. */
  readonly unknown: string | undefined;
  /** The views of this visit, the last one first. */
  readonly visited: readonly Route[];
  go(route: Route, options?: { replace?: boolean }): void;
  /** To the view before, or to the inbox if the app was opened with this view. */
  back(): void;
  /** For `href`. */
  addressOf(route: Route): string;
}

export const RouterContext = createContext<Router | undefined>(undefined);

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (!router) throw new Error('This component is only for the app.');
  return router;
}

interface Place {
  readonly route: Route;
  readonly visit: number;
  readonly unknown?: string | undefined;
}

/** How many views of the app are before this one in the history of the browser. */
const depthNow = (): number => (history.state as { parlanceDepth?: number } | null)?.parlanceDepth ?? 0;

function placeAt(fragment: string, visit: number): Place {
  const route = routeOf(fragment);
  return route ? { route, visit } : { route: INBOX, visit, unknown: fragment };
}

/** @param ownsAddress whether the fragment of the page's address is the app's */
export function useNewRouter(ownsAddress: boolean, names: NamesOfRoutes): Router {
  const { site } = usePanel();
  const [place, setPlace] = useState<Place>(() =>
    ownsAddress ? placeAt(location.hash, 0) : { route: INBOX, visit: 0 },
  );
  const first = useRef(location.hash);
  const visited = useRef<readonly Route[]>([]);
  if (visited.current[0] !== place.route) visited.current = [place.route, ...visited.current].slice(0, 50);
  /** Views before this one, of an embedded panel. */
  const before = useRef<Route[]>([]);
  const current = useRef(place.route);
  current.current = place.route;

  useEffect(() => {
    if (!ownsAddress) return;
    const moved = () => setPlace(({ visit }) => placeAt(location.hash, visit + 1));
    addEventListener('popstate', moved);
    // The address may have changed since the first rendering.
    if (location.hash !== first.current) moved();
    return () => removeEventListener('popstate', moved);
  }, [ownsAddress]);

  const go = useCallback(
    (route: Route, { replace = false } = {}) => {
      if (ownsAddress) {
        const address = fragmentOf(route, names);
        if (replace || address === location.hash) history.replaceState(history.state, '', address);
        else history.pushState({ parlanceDepth: depthNow() + 1 }, '', address);
      } else if (!replace) {
        before.current = [...before.current, current.current].slice(-100);
      }
      setPlace(({ visit }) => ({ route, visit: visit + 1 }));
    },
    [ownsAddress, names],
  );
  const back = useCallback(() => {
    if (ownsAddress && depthNow() > 0) return history.back();
    const last = before.current.pop();
    if (last && !ownsAddress) setPlace(({ visit }) => ({ route: last, visit: visit + 1 }));
    else go(INBOX, { replace: true });
  }, [ownsAddress, go]);
  const addressOf = useCallback(
    (route: Route) => (ownsAddress ? location.pathname + location.search : `${site}/`) + fragmentOf(route, names),
    [ownsAddress, site, names],
  );
  const { route, visit, unknown } = place;
  return useMemo(
    () => ({ route, visit, unknown, visited: visited.current, go, back, addressOf }),
    [route, visit, unknown, go, back, addressOf],
  );
}

interface LinkProps {
  to: Route;
  class?: string;
  isCurrent?: boolean;
  label?: string;
  children: ComponentChildren;
}

/** A link to a view. Opens in the same panel; with Ctrl or the middle button in a new tab, as usual. */
export function Link({ to, isCurrent, label, children, class: className }: LinkProps): JSX.Element {
  const { go, addressOf } = useRouter();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <a
      ref={link}
      class={className}
      href={addressOf(to)}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
