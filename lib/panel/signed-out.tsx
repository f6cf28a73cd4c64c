/** In place of everything, after the login has ended. */
import type { VNode } from 'preact';
import { Button } from './buttons.tsx';
import type { SignedOutReason } from './context.ts';
import { useOverlay } from './words/overlay-words.ts';

interface SignedOutProps {
  reason: SignedOutReason;
  /** The login page of the server, which leads back to this place. Other pages have a login of their own. */
  loginPage: string | undefined;
  signInAgain(): void;
}

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
