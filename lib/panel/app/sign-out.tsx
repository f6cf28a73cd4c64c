/** Ends the login of the login page. */
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { usePanel } from '../context.ts';
import { Icon } from './icons.tsx';
import { OwnsPageContext } from './title.ts';

/**
 * A plain form: it also works without a connection of the chat. Embedded panels have the login of their page.
 * Where the host has a login of its own, the page of the app hides the part `sign-out`.
 */
export function SignOut(): JSX.Element | null {
  const { site, words, hidden } = usePanel();
  const ownsPage = useContext(OwnsPageContext);
  if (!ownsPage || hidden.has('sign-out')) return null;
  return (
    <form method="post" action={`${site}/logout`}>
      <button type="submit" class="button">
        <Icon name="sign-out" />
        {words.signOut}
      </button>
    </form>
  );
}
