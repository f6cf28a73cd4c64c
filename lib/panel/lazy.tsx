/** Parts of the panel in files of their own, which the browser fetches with the first use. */
import type { FunctionComponent, VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { usePanel } from './context.ts';
import { adoptStyles } from './style-sheets.ts';

/** Parts whose file did not come. When another file comes, they try again. */
const failed = new Set<() => void>();

/**
 * A component of another file. Shows nothing until the file is there, and an error if it does not come.
 * @param isQuiet another part of the same file shows the error
 * @example const Dialog = lazy(async () => (await import('./dialog.tsx')).Dialog);
 */
export function lazy<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  { isQuiet = false } = {},
): (props: P) => VNode | null {
  let Loaded: FunctionComponent<P> | undefined;
  return function Lazy(props: P): VNode | null {
    const { host, words } = usePanel();
    const [{ attempt, hasFailed }, setState] = useState({ attempt: 0, hasFailed: false });
    const tryAgain = () => setState({ attempt: attempt + 1, hasFailed: false });
    // If the file is there already, the component appears before the browser paints.
    useLayoutEffect(() => {
      if (Loaded) return;
      let isOver = false;
      load().then(
        (component) => {
          Loaded = component;
          if (!isOver) setState({ attempt, hasFailed: false });
          for (const again of [...failed]) again();
        },
        () => {
          if (isOver) return;
          failed.add(tryAgain);
          setState({ attempt, hasFailed: true });
        },
      );
      return () => {
        isOver = true;
        failed.delete(tryAgain);
      };
    }, [attempt]);
    if (Loaded) {
      // Before its children measure themselves.
      adoptStyles(host.shadowRoot);
      return <Loaded {...props} />;
    }
    if (!hasFailed || isQuiet) return null;
    return (
      <p class="notice error-text" role="alert">
        {words.partFailed}{' '}
        <button type="button" class="link-button" onClick={tryAgain}>
          {words.retry}
        </button>
      </p>
    );
  };
}
