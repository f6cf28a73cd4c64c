import type { JSX } from 'preact';
import { IconButton } from '../buttons.tsx';
import { useApp } from '../words/app-words.ts';
import { useReport } from './hooks.ts';
import { useRouter } from './router.tsx';
import { fragmentOf } from './routes.ts';

/** Copies the address of this view, for others. */
export function ShareLink(): JSX.Element {
  const { store, words, site, announce } = useApp();
  const { route } = useRouter();
  const report = useReport();
  const copy = async () => {
    const channel = (id: number) => store.channels.get().get(id)?.name;
    await navigator.clipboard.writeText(`${site}/${fragmentOf(route, { channel })}`);
    announce(words.linkCopied);
  };
  return <IconButton icon="link" label={words.copyLink} onClick={() => report(copy())} />;
}
