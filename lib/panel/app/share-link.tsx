import type { JSX } from 'preact';
import { IconButton } from '../buttons.tsx';
import { useApp } from '../words/app-words.ts';
import { useReport } from './hooks.ts';
import { useRouter } from './router.tsx';
import { fragmentOf, type Route } from './routes.ts';

/** Copies the address of a view, for others. */
export function useCopyLink(): (route: Route) => void {
  const { store, words, site, announce } = useApp();
  const report = useReport();
  const copy = async (route: Route) => {
    const channel = (id: number) => store.channels.get().get(id)?.name;
    await navigator.clipboard.writeText(`${site}/${fragmentOf(route, { channel })}`);
    announce(words.linkCopied);
  };
  return (route) => report(copy(route));
}

/** @param props `isInMenu`: phones have it only there */
export function ShareLink({ isInMenu = false }: { isInMenu?: boolean }): JSX.Element {
  const { words } = useApp();
  const { route } = useRouter();
  const copy = useCopyLink();
  return (
    <IconButton
      class={isInMenu ? 'icon-button only-wide' : 'icon-button'}
      icon="link"
      label={words.copyLink}
      onClick={() => copy(route)}
    />
  );
}
