/** Parts of the panel in files of their own, which the browser fetches with the first use. */
import type { FunctionComponent, VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { usePanel } from './context.ts';
import { adoptStyles } from './style-sheets.ts';

/**
 * A component of another file. Shows nothing until the file is there, and an error if it does not come.
 * @example const Dialog = lazy(async () => (await import('./dialog.tsx')).Dialog);
 */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): (props: P) => VNode | null {
  let Loaded: FunctionComponent<P> | undefined;
  return function Lazy(props: P): VNode | null {
    const { host, words } = usePanel();
    const [{ attempt, hasFailed }, setState] = useState({ attempt: 0, hasFailed: false });
    // If the file is there already, the component appears before the browser paints.
    useLayoutEffect(() => {
      if (Loaded) return;
      let isOver = false;
      const show = (state: { attempt: number; hasFailed: boolean }) => isOver || setState(state);
      load().then(
        (component) => {
          Loaded = component;
          show({ attempt, hasFailed: false });
        },
        () => show({ attempt, hasFailed: true }),
      );
      return () => {
        isOver = true;
      };
    }, [attempt]);
    if (Loaded) {
      // Before its children measure themselves.
      adoptStyles(host.shadowRoot);
      return <Loaded {...props} />;
    }
    if (!hasFailed) return null;
    return (
      <p class="notice error-text" role="alert">
        {words.partFailed}{' '}
        <button type="button" class="link-button" onClick={() => setState({ attempt: attempt + 1, hasFailed: false })}>
          {words.retry}
        </button>
      </p>
    );
  };
}
