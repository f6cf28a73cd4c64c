/** The notice after the login has ended or changed to another account. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Button, IconButton } from './buttons.tsx';
import { type SignedOutReason, useCell } from './context.ts';
import { useOverlay } from './words/overlay-words.ts';

export interface SignedOutProps {
  reason: SignedOutReason;
  /** The login page of the server, which leads back to this place. Other pages have a login of their own. */
  loginPage: string | undefined;
  signInAgain(): void;
}

/** Replaces the whole panel. */
export function SignedOut({ reason, loginPage, signInAgain }: SignedOutProps): VNode {
  const { words } = useOverlay();
  const texts: Partial<Record<SignedOutReason, string>> = {
    deactivated: words.signedOutDeactivated,
    expired: words.signedOutExpired,
  };
  const Main = loginPage === undefined ? 'div' : 'main';
  return (
    <Main class="notice" part="signed-out">
      <slot name="signed-out">
        <p>{texts[reason] ?? words.signedOut}</p>
        {loginPage === undefined ? (
          <Button onClick={signInAgain}>{words.retry}</Button>
        ) : (
          <a class="button primary" href={loginPage}>
            {words.signIn}
          </a>
        )}
      </slot>
    </Main>
  );
}

/** Says that the panel has started with another account. */
export function AccountBanner({ former }: { former: string }): VNode | null {
  const { store, words } = useOverlay();
  const name = useCell(store.me)?.full_name;
  const [isClosed, setClosed] = useState(false);
  if (name === undefined || isClosed) return null;
  return (
    <div class="banner" part="banner" role="alert">
      <p>{words.accountChanged(name, former)}</p>
      <IconButton icon="close" label={words.close} onClick={() => setClosed(true)} />
    </div>
  );
}
