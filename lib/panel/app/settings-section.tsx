/** What all sections of the settings share. */
import type { ComponentChildren, JSX } from 'preact';
import type { ParametersOf } from '../../chat/session.ts';
import { usePanel } from '../context.ts';
import { type Action, useAction } from './hooks.ts';

type SettingsChange = NonNullable<ParametersOf<'settings.edit'>[0]>;

export function Section({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="settings-section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Saves settings. The store shows them when their event arrives. */
export function useSave(): Action & { save(change: SettingsChange): Promise<boolean> } {
  const { store, words, announce } = usePanel();
  const action = useAction();
  return {
    ...action,
    async save(change) {
      const isSaved = await action.run(() => store.session.settings.edit(change));
      if (isSaved) announce(words.saved);
      return isSaved;
    },
  };
}
